import { describe, expect, test } from 'vitest'
import { type Guest, type Person, present } from '../../../helpers/server/server.ts'
import { serverFixture } from '../../server-fixture.ts'

/* Which ratings count in an average (R137), and how people are locked (R138). */

const day = 24 * 60 * 60_000
const server = await serverFixture()

/** A delivery of this sender by this driver, paid. */
async function paid(ama: Person, yaw: Person) {
  const made = await server.delivery(ama)
  await server.drive(made, yaw, 'Delivered')
  expect(await server.said('changeStatus', ama, made.ID, { status: 'Approved' })).toBe(200)
  return made.ID
}

async function paidByGuest(yaw: Person, phone?: string): Promise<Guest> {
  const guest = await server.guestDelivery(phone ? { senderPhone: phone } : {})
  await server.drive(guest.delivery, yaw, 'Delivered')
  const body = { status: 'Approved', guestPhone: guest.phone }
  expect(await server.said('changeGuestStatus', guest, guest.delivery.ID, body)).toBe(200)
  return guest
}

const rate = (by: Pick<Person, 'token'>, id: string, stars: number) =>
  server.said('rateDelivery', by, id, { stars })

/** Three ratings that count, so that the average is shown. */
async function known(stars: number): Promise<Person> {
  const yaw = await server.driver()
  for (let n = 0; n < 3; n++) {
    const ama = await server.sender()
    await rate(ama, await paid(ama, yaw), stars)
  }
  return yaw
}

const ratingOf = async (yaw: Person) =>
  present((await server.ask('me', { token: yaw.token })).value).user.rating

/** The guest proves their number; resolves to the tokens that they get in place of the ones before. */
async function confirm(phone: string) {
  await server.ask('recoverGuest', { body: { guestPhone: phone } })
  const body = { guestPhone: phone, code: server.codeSentTo(phone) }
  const { value } = await server.ask('confirmGuestRecovery', { body })
  return present(value).deliveries.map(({ guestToken }) => ({ token: guestToken }))
}

describe('R137: in an average counts', () => {
  test('one rating of a pair of people in 30 days, in each direction', async () => {
    const [ama, yaw] = [await server.sender(), await known(5)]
    const first = await paid(ama, yaw)
    expect(await rate(ama, first, 1)).toBe(200)
    expect(await ratingOf(yaw)).toEqual({ average: 4, count: 4 })
    const second = await paid(ama, yaw)
    expect(await rate(ama, second, 1)).toBe(200)
    expect(await ratingOf(yaw)).toEqual({ average: 4, count: 4 })
    const { value } = await server.ask('getDelivery', { token: ama.token, id: second })
    expect(value?.delivery.ratings?.sender).toMatchObject({ stars: 1, counted: false })
    expect(await rate(yaw, first, 4)).toBe(200)
    server.clock.advance(31 * day)
    expect(await rate(ama, await paid(ama, yaw), 1)).toBe(200)
    expect((await ratingOf(yaw))?.count).toBe(5)
  })

  test('no rating of a guest before their number is confirmed, and then what they rated before, once', async () => {
    const yaw = await known(5)
    const phone = server.newPhone()
    for (const guest of [await paidByGuest(yaw, phone), await paidByGuest(yaw, phone)])
      expect(await rate(guest, guest.delivery.ID, 1)).toBe(200)
    expect(await ratingOf(yaw)).toEqual({ average: 5, count: 3 })
    await confirm(phone)
    expect(await ratingOf(yaw)).toEqual({ average: 4, count: 4 })
    await confirm(phone)
    expect((await ratingOf(yaw))?.count).toBe(4)
  })

  test('a rating of a guest with a confirmed number at once, and not again from an account of that number', async () => {
    const yaw = await known(5)
    const ama = await server.sender()
    const { delivery } = await paidByGuest(yaw, ama.phone)
    const [guest] = await confirm(ama.phone)
    expect(await rate(present(guest), delivery.ID, 1)).toBe(200)
    expect(await ratingOf(yaw)).toEqual({ average: 4, count: 4 })
    await rate(ama, await paid(ama, yaw), 1)
    expect((await ratingOf(yaw))?.count).toBe(4)
  })
})

test('R138: two sides that rate at once lock the people before the delivery, in one order', async () => {
  const [ama, yaw] = [await server.sender(), await server.driver()]
  const id = await paid(ama, yaw)
  const holder = await server.pool().connect()
  const watch = async () => {
    const { rows } = await server
      .pool()
      .query<{ query: string }>(
        `select query from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
    return rows.map(({ query }) => /from "(\w+)"/.exec(query)?.[1] ?? query).sort()
  }
  try {
    await holder.query('begin')
    await holder.query('select 1 from deliveries where id = $1 for update', [id])
    const both = Promise.all([rate(ama, id, 5), rate(yaw, id, 4)])
    let waiting = await watch()
    while (waiting.length < 2) waiting = await watch()
    // Each with the delivery in its hands would wait for the other's person.
    expect(waiting).toEqual(['deliveries', 'users'])
    await holder.query('rollback')
    expect(await both).toEqual([200, 200])
  } finally {
    await holder.query('rollback')
    holder.release()
  }
})
