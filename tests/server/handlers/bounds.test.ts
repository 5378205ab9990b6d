import { describe, expect, test } from 'vitest'
import { startTestServer, testOptions } from '../../helpers/server/server.ts'
import { serverFixture } from '../server-fixture.ts'

/* What one account, or two that belong together, cannot do without end. */

const server = await serverFixture()

test('R134: the eleventh attempt of a job is refused, and it can still be returned', async () => {
  const [ama, yaw] = [await server.sender(), await server.driver()]
  const { ID, ...made } = await server.delivery(ama)
  await server.drive({ ...made, ID }, yaw, 'Picked Up')
  for (let n = 1; n <= 10; n++)
    expect(await server.said('reportAttempt', yaw, ID, { reason: 'absent' })).toBe(200)
  expect(await server.said('reportAttempt', yaw, ID, { reason: 'absent' })).toBe('409 attempts')
  server.clock.advance(testOptions.endings.wait)
  expect(await server.said('startReturn', yaw, ID)).toBe(200)
})

test('R134: a delivery that has thousands of attempts from an earlier version still opens, in few bytes', async () => {
  const [ama, yaw] = [await server.sender(), await server.driver()]
  const made = await server.delivery(ama)
  await server.drive(made, yaw, 'Picked Up')
  const attempts = Array.from({ length: 3_000 }, (_, n) => ({
    kind: 'attempt',
    reason: 'absent',
    note: `${n}`.padEnd(200, '.'),
    driver: yaw.user.ID,
    at: new Date(Date.parse(made.createdAt) + n).toISOString(),
  }))
  await server
    .pool()
    .query('update deliveries set incidents = $2, return_from = created_at where id = $1', [
      made.ID,
      JSON.stringify(attempts),
    ])
  for (const by of [ama, yaw, await server.admin()]) {
    const { value } = await server.ask('getDelivery', { token: by.token, id: made.ID })
    expect(value?.delivery).toMatchObject({ status: 'Picked Up', attempts: 3_000 })
    const notes = value?.delivery.incidents?.map(({ note }) => Number.parseInt(note ?? '', 10))
    expect([notes?.length, notes?.[0], notes?.at(-1)]).toEqual([50, 0, 2_999])
    expect(JSON.stringify(value).length).toBeLessThan(30_000)
  }
  expect(await server.said('reportAttempt', yaw, made.ID, { reason: 'absent' })).toBe(
    '409 attempts',
  )
  expect(await server.said('startReturn', yaw, made.ID)).toBe(200)
  const stored = await server.repo.read(({ deliveries }) => deliveries.get(made.ID))
  expect(stored?.incidents).toHaveLength(3_001)
})

test('R134: a driver accepts the same job three times, and others still do', async () => {
  const [ama, yaw, kojo] = [await server.sender(), await server.driver(), await server.driver()]
  const { ID } = await server.delivery(ama)
  for (let n = 1; n <= 3; n++) {
    expect(await server.said('acceptDelivery', yaw, ID)).toBe(200)
    expect(await server.said('releaseJob', yaw, ID, { reason: 'Tyre' })).toBe(200)
  }
  expect(await server.said('acceptDelivery', yaw, ID)).toBe('409 accepts')
  expect(await server.said('acceptDelivery', kojo, ID)).toBe(200)
})

describe('R136: a driver accepts no job of their own number', () => {
  test('as sender, as recipient, and as a guest', async () => {
    const [yaw, ama] = [await server.driver(), await server.sender()]
    const own = await server.delivery(yaw)
    const theirs = await server.delivery(ama, { recipientPhone: yaw.phone })
    const guest = await server.guestDelivery({ senderPhone: yaw.phone })
    for (const { ID } of [own, theirs, guest.delivery])
      expect(await server.said('acceptDelivery', yaw, ID)).toBe('409 own-request')
    expect(await server.said('acceptDelivery', await server.driver(), theirs.ID)).toBe(200)
  })
})

describe('R21: amounts', () => {
  test('MIN_OFFER is configured, for guests too', async () => {
    const options = { ...testOptions, minOffer: 0.5 }
    const other = await startTestServer(undefined, { options })
    const guest = (offer: number) =>
      other.raw('POST', '/guest/deliveries', {
        body: { ...other.request({ offer }), senderName: 'Kofi', senderPhone: other.newPhone() },
      })
    expect((await guest(0.49)).status).toBe(400)
    expect((await guest(0.5)).status).toBe(201)
    await other.close()
  })
})
