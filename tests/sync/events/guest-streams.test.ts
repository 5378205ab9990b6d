import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { guestAccount } from '#store/database/engine-db.ts'
import { loadLazy } from '#sync/load-lazy.ts'
import { realClock } from '#sync/platform/context.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { createNetwork, createPhone, type Network, type Phone } from '../../helpers/device/phone.ts'
import { type ServerFixture, startServerFixture } from '../server-fixture.ts'

let server: ServerFixture
beforeAll(async () => {
  await loadLazy()
  server = await startServerFixture()
})
afterAll(() => server.close())

const phones: Phone[] = []
afterEach(async () => {
  for (const phone of phones.splice(0)) await phone.kill()
})

/** A phone that nobody is logged in on, in real time, and whose token each stream was opened with. */
async function guestPhone() {
  const streams: (string | null)[] = []
  const network: Network = createNetwork((request) => {
    if (new URL(request.url).pathname === '/api/events')
      streams.push(request.headers.get('authorization'))
    return server.fetch(request)
  })
  const phone = createPhone(network, { clock: realClock })
  phones.push(phone)
  await phone.start()
  const request = async (itemDescription: string) => {
    const draft = await filledDraft(phone.commands, { itemDescription })
    const id = await phone.commands.requestDelivery(draft, 'guest')
    await expect.poll(async () => (await phone.db.guests.get(id))?.guestToken).toBeDefined()
    return id
  }
  const tokenOf = async (id: string) => `Bearer ${(await phone.db.guests.get(id))?.guestToken}`
  const status = async (id: string) =>
    (await phone.db.deliveries.get([guestAccount, id]))?.view.status
  const isOpenFor = (id: string) =>
    expect
      .poll(async () => (await phone.db.meta.get('stream'))?.value)
      .toMatchObject({ account: `${guestAccount} ${id}`, open: true })
  return { phone, network, streams, request, tokenOf, status, isOpenFor }
}

test('S21, R97: a guest hears that a driver accepted by an event, not by asking again and again', async () => {
  const { phone, network, request, status, isOpenFor, streams, tokenOf } = await guestPhone()
  const id = await request('A drum')
  await isOpenFor(id)
  expect(streams.at(-1)).toBe(await tokenOf(id))
  await phone.engine.refresh({ kind: 'delivery', id })
  network.passed.length = 0
  const made = await server.asGuestOf(phone.db, id)
  const asked = network.passed.filter(({ path }) => path.endsWith(id)).length
  await server.drive(made, await server.driver(), 'Accepted')
  await expect.poll(() => status(id), { timeout: 3_000 }).toBe('Accepted')
  const since = network.passed.filter(({ path }) => path.endsWith(id)).length
  expect(since - asked).toBeLessThanOrEqual(2)
})

test('R97: of two guest deliveries the newer one is heard of, and the other once it is looked at', async () => {
  const { phone, request, isOpenFor, status } = await guestPhone()
  const older = await request('A drum')
  const newer = await request('A flute')
  await isOpenFor(newer)
  const leave = phone.engine.watch({ kind: 'delivery', id: older })
  await isOpenFor(older)
  const made = await server.asGuestOf(phone.db, older)
  await server.drive(made, await server.driver(), 'Accepted')
  await expect.poll(() => status(older), { timeout: 3_000 }).toBe('Accepted')
  leave()
  await isOpenFor(newer)
})

test('R97, S59: who logs in on the phone of a guest is heard for, and nothing of the guest stream stays', async () => {
  const { phone, request, isOpenFor, streams } = await guestPhone()
  await isOpenFor(await request('A drum'))
  const someone = await server.sender()
  await phone.session.login(someone.email, someone.password)
  await expect
    .poll(async () => (await phone.db.meta.get('stream'))?.value)
    .toMatchObject({ account: someone.user.ID, open: true })
  expect(streams.at(-1)).toMatch(/^Bearer /)
})

test('R97: nobody is heard for on a phone without a login and without a guest', async () => {
  const { phone, streams } = await guestPhone()
  await phone.engine.wake()
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(streams).toEqual([])
})
