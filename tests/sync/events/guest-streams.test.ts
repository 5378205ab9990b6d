import { expect, test } from 'vitest'
import { guestAccount } from '#sync/database/engine-db.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { serverOfFile } from '../server-fixture.ts'
import { streamPhonesOfFile } from './stream-phone.ts'

const { server } = serverOfFile()
const openPhone = streamPhonesOfFile()

/** A phone that nobody is logged in on, and whose token each stream was opened with. */
async function guestPhone() {
  const streams: (string | null)[] = []
  const opened = openPhone((request) => {
    if (new URL(request.url).pathname === '/api/events')
      streams.push(request.headers.get('authorization'))
    return server().fetch(request)
  })
  const { phone, letPass } = opened
  await phone.start()
  const request = async (itemDescription: string) => {
    const draft = await filledDraft(phone.commands, { itemDescription })
    const id = await phone.commands.requestDelivery(draft, 'guest')
    await phone.settle()
    // A stream for somebody else is opened without a pause: by a timer of no time.
    await letPass(1_000)
    return id
  }
  const tokenOf = async (id: string) => `Bearer ${(await phone.db.guests.get(id))?.guestToken}`
  const status = async (id: string) =>
    (await phone.db.deliveries.get([guestAccount, id]))?.view.status
  const isOpenFor = async (id: string) => {
    await opened.isOpen(`${guestAccount} ${id}`)
    await letPass(2_000)
  }
  /** A driver accepts, and the phone hears so. */
  const isAccepted = async (id: string) => {
    const made = await server().asGuestOf(phone.db, id)
    const driver = await server().driver()
    await opened.hears(() => server().drive(made, driver, 'Accepted'))
    await letPass(2_000)
  }
  return { ...opened, streams, request, tokenOf, status, isOpenFor, isAccepted }
}

test('S21, R97: a guest hears that a driver accepted by an event, not by asking again and again', async () => {
  const { network, request, status, isOpenFor, isAccepted, streams, tokenOf } = await guestPhone()
  const id = await request('A drum')
  await isOpenFor(id)
  expect(streams.at(-1)).toBe(await tokenOf(id))
  network.passed.length = 0
  await isAccepted(id)
  expect(await status(id)).toBe('Accepted')
  expect(network.passed.filter(({ path }) => path.endsWith(id)).length).toBeLessThanOrEqual(2)
})

test('R97: of two guest deliveries the newer one is heard of, and the other once it is looked at', async () => {
  const { phone, request, isOpenFor, isAccepted, letPass, status } = await guestPhone()
  const older = await request('A drum')
  const newer = await request('A flute')
  await isOpenFor(newer)
  const leave = phone.engine.watch({ kind: 'delivery', id: older })
  await letPass(1_000)
  await isOpenFor(older)
  await isAccepted(older)
  expect(await status(older)).toBe('Accepted')
  leave()
  await letPass(1_000)
  await isOpenFor(newer)
})

test('R97, S59: who logs in on the phone of a guest is heard for, and nothing of the guest stream stays', async () => {
  const { phone, request, isOpen, isOpenFor, letPass, streams } = await guestPhone()
  await isOpenFor(await request('A drum'))
  const someone = await server().sender()
  await phone.session.login(someone.email, someone.password)
  await letPass(1_000)
  await isOpen(someone.user.ID)
  expect(streams.at(-1)).toMatch(/^Bearer /)
})

test('R97: nobody is heard for on a phone without a login and without a guest', async () => {
  const { phone, letPass, streams } = await guestPhone()
  await phone.engine.wake()
  await letPass(60_000)
  expect(streams).toEqual([])
})
