import { afterEach, expect, test } from 'vitest'
import { diagnostics } from '#store/queries/outbox/outbox.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { createNetwork, type Phone } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../server-fixture.ts'

const { server, newPhone } = serverOfFile()

const phones: Phone[] = []
afterEach(async () => {})

test('every request has an ID of its own; one of an entry has the request key, at each try', async () => {
  const asked: { path: string; key: string | null; id: string | null }[] = []
  let failing = true
  const network = createNetwork(async (request) => {
    const { headers } = request
    const path = new URL(request.url).pathname
    asked.push({ path, key: headers.get('idempotency-key'), id: headers.get('x-request-id') })
    if (failing && request.method === 'POST' && path.endsWith('/deliveries'))
      throw new TypeError('Failed to fetch')
    return server().fetch(request)
  })
  const phone = newPhone({}, network)
  phones.push(phone)
  const { email, password } = await server().sender()
  await phone.start()
  await phone.session.login(email, password)
  await phone.settle()
  const entry = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
  await phone.engine.wake()
  failing = false
  await phone.settle()

  expect(asked.every(({ id }) => /^[0-9a-f-]{36}$/.test(id ?? ''))).toBe(true)
  const keyed = asked.filter(({ key }) => key !== null)
  expect(keyed.length).toBeGreaterThan(1)
  expect(keyed.every(({ key, id }) => key === id)).toBe(true)
  const others = asked.filter(({ key }) => key === null).map(({ id }) => id)
  expect(new Set(others).size).toBe(others.length)

  const lines = (await diagnostics(phone.db)).filter(({ request }) => request === entry)
  const tries = lines.map(({ what, error }) => `${error ? 'error' : 'info'}: ${what}`)
  expect(tries[0]).toBe('info: POST /api/sender/deliveries 201')
  expect(new Set(tries.slice(1))).toEqual(
    new Set(['error: POST /api/sender/deliveries had no response']),
  )
})
