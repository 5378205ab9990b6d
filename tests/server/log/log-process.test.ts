import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { admin } from '../../helpers/server/app-server.ts'
import { processes } from '../../helpers/server/processes.ts'

/* The built server at its lowest log level. */

const { started } = processes()

test('R50: LOG_LEVEL=trace prints no header, no body and no personal data but the console provider’s SMS', async () => {
  const { server } = await started({ LOG_LEVEL: 'trace' })
  const said: string[] = []
  const send = async (method: string, path: string, body?: unknown, token?: string) => {
    const headers: Record<string, string> = { 'x-secret': 'header secret', 'idempotency-key': v7() }
    if (token) headers.authorization = `Bearer ${token}`
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await fetch(`${server.origin}/api${path}`, { method, headers, body: text })
    const read = await answer.text()
    said.push(...(read.match(/[ug]_[\w-]{20,}|\b\d{5}\b/g) ?? []))
    return JSON.parse(read)
  }
  const person = {
    name: 'Talkative Person',
    email: 'talkative@mail.test',
    password: 'a secret of my own',
    phone_number: '0241237654',
    role: 'sender',
  }
  const { token } = await send('POST', '/signup', person)
  const code = await server.smsCode(person.phone_number)
  await send('POST', '/verify/confirm', { phone_number: person.phone_number, code }, token)
  await send('POST', '/login', { ...person, password: 'a wrong secret' })
  await send('POST', '/login', admin)
  await send('POST', '/guest/deliveries', { itemDescription: 'a secret body' })
  await send('POST', '/login', '{"broken secret')
  await send('GET', '/users/me', undefined, token)
  await send('GET', '/deliveries/secret-id', undefined, token)
  const others = server.lines.filter((line) => !line.includes('"msg":"SMS"')).join('\n')
  for (const text of [...Object.values(person), admin.password, code, ...said])
    if (text !== 'sender') expect(others).not.toContain(text)
  expect(others).not.toMatch(/secret|authorization|bearer/i)
}, 40_000)
