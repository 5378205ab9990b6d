import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { type AppServer, admin } from './app-server.ts'

/** A login whose headers the server has read and whose body is not sent yet; resolves to its status. */
export async function begunLogin({
  origin,
}: AppServer): Promise<() => Promise<number | undefined>> {
  const asked = request(`${origin}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', expect: '100-continue' },
  })
  const answered = once(asked, 'response')
  asked.flushHeaders()
  await once(asked, 'continue')
  return async () => {
    asked.end(JSON.stringify(admin))
    const [answer] = (await answered) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  }
}
