import { expect, test } from 'vitest'
import { expireOldRows } from '#server/node/upkeep/expire-old-rows.ts'
import { type Person, present, type TestServer } from '../../helpers/server/server.ts'
import { overIndexedDb } from '../both-adapters.ts'

const day = 24 * 60 * 60 * 1000

overIndexedDb((server) => {
  test('R12: a session ends after 90 days without use or 180 days in all, and is deleted', async () => {
    const [idle, busy] = [await server().sender(), await server().sender()]
    const isIn = ({ token }: Person) =>
      server()
        .raw('GET', '/users/me', { token })
        .then(({ status }) => status === 200)
    for (let days = 0; days < 160; days += 40) {
      server().clock.advance(40 * day)
      expect([days, await isIn(busy)]).toEqual([days, true])
    }
    expect(await isIn(idle)).toBe(false)
    server().clock.advance(19 * day)
    await expireOldRows(server().ports)
    expect(await isIn(busy)).toBe(true)
    server().clock.advance(2 * day)
    expect(await isIn(busy)).toBe(false)
    await expireOldRows(server().ports)
    const left = await server().repo.read(({ sessions }) => sessions.listOf(busy.user.ID))
    expect(left).toEqual([])
  })

  test.each(['Approved', 'Cancelled'] as const)(
    'R54: a guest’s token ends 30 days after their delivery was %s, and is deleted',
    async (status) => {
      const guest = await server().guestDelivery()
      const look = () =>
        server()
          .raw('GET', `/deliveries/${guest.delivery.ID}`, { token: guest.token })
          .then((answer) => answer.status)
      server().clock.advance(100 * day)
      expect(await look()).toBe(200)
      await end(server(), guest.delivery.ID, guest.phone, guest.token, status)
      server().clock.advance(29 * day)
      await expireOldRows(server().ports)
      expect(await look()).toBe(200)
      server().clock.advance(day + 60_000)
      expect(await look()).toBe(401)
      await expireOldRows(server().ports)
      const { repo, ports } = server()
      const found = await repo.read(({ guestTokens }) =>
        guestTokens.find(ports.secrets.hash(guest.token), new Date(0).toISOString()),
      )
      expect(found).toBeUndefined()
    },
  )
})
async function end(
  server: TestServer,
  id: string,
  guestPhone: string,
  token: string,
  status: 'Approved' | 'Cancelled',
) {
  if (status === 'Approved') {
    const yaw = await server.driver()
    const { value } = await server.ask('getDelivery', { token, id })
    await server.drive(present(value).delivery, yaw, 'Delivered')
  }
  await server.ask('changeGuestStatus', { token, id, body: { status, guestPhone } })
}
