import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { smsProvider } from '#server/node/messages/sms.ts'

let provider: Server
let url: string
let heard: { method?: string; path?: string; headers: IncomingHttpHeaders; body: unknown }[]
let answers: { status: number; body: string }[]

beforeEach(async () => {
  heard = []
  answers = []
  provider = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { method, url: path, headers } = request
    heard.push({ method, path, headers, body: JSON.parse(text) })
    const { status, body } = answers.shift() ?? { status: 200, body: '{}' }
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const address = provider.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/send`
})
afterEach(() => {
  provider.close()
})

const lines: object[] = []
const log = {
  info: (about: object) => lines.push(about),
  warn: () => undefined,
  error: () => undefined,
}
const text = { to: '0244123456', text: 'Soma: your verification code is 123456.' }

test('Arkesel is sent the message with its key, to the international number', async () => {
  answers.push({ status: 200, body: '{"status":"success","data":[]}' })
  const settings = { provider: 'arkesel' as const, url, apiKey: 'the key', sender: 'Soma' }
  await smsProvider(settings, log).send(text)
  expect(heard).toHaveLength(1)
  expect(heard[0]).toMatchObject({
    method: 'POST',
    path: '/send',
    headers: { 'api-key': 'the key' },
    body: { sender: 'Soma', message: text.text, recipients: ['233244123456'] },
  })
})

test('Hubtel is sent the message with its client’s name and secret', async () => {
  answers.push({ status: 200, body: '{"status":0,"messageId":"x"}' })
  const settings = { provider: 'hubtel' as const, url, apiKey: 'id:secret', sender: 'Soma' }
  await smsProvider(settings, log).send(text)
  expect(heard[0]).toMatchObject({
    headers: { authorization: `Basic ${Buffer.from('id:secret').toString('base64')}` },
    body: { From: 'Soma', To: '233244123456', Content: text.text },
  })
})

test('a provider’s 5xx is retried, its refusal is not', async () => {
  const settings = { provider: 'arkesel' as const, url, apiKey: 'k', sender: 'Soma' }
  answers.push({ status: 503, body: 'busy' }, { status: 200, body: '{"status":"success"}' })
  await smsProvider(settings, log).send(text)
  expect(heard).toHaveLength(2)

  answers.push({ status: 401, body: `{"message":"bad key for ${text.text}"}` })
  const refused = smsProvider(settings, log).send(text)
  // The provider's response is not logged: it may contain the code.
  await expect(refused).rejects.toThrow(/^The SMS provider answered 401$/)
  expect(heard).toHaveLength(3)
})

test('without a provider the SMS is written as one log line', async () => {
  await smsProvider({ provider: 'console', sender: 'Soma' }, log).send(text)
  expect(lines).toEqual([text])
  expect(heard).toHaveLength(0)
})
