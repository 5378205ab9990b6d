import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints, type Op } from '#contract/endpoints.ts'
import {
  type Person,
  startTestServer,
  type TestServer,
  testOptions,
} from '../../helpers/server/server.ts'

/* What one account, or two that belong together, cannot do without end. */

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** What a call by its path answers: the status, and the reason of a refusal. */
async function said(op: Op, by: Person, id: string, body: object = {}) {
  const { method, path } = endpoints[op]
  const answer = await server.raw(method, path.replace(':id', id), { token: by.token, body })
  const { reason } = await answer.json()
  return reason ? `${answer.status} ${reason}` : answer.status
}

test('R134: the eleventh attempt of a job is refused, and it can still be returned', async () => {
  const [ama, yaw] = [await server.sender(), await server.driver()]
  const { ID, ...made } = await server.delivery(ama)
  await server.drive({ ...made, ID }, yaw, 'Picked Up')
  for (let n = 1; n <= 10; n++)
    expect(await said('reportAttempt', yaw, ID, { reason: 'absent' })).toBe(200)
  expect(await said('reportAttempt', yaw, ID, { reason: 'absent' })).toBe('409 attempts')
  server.clock.advance(testOptions.endings.wait)
  expect(await said('startReturn', yaw, ID)).toBe(200)
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
  expect(await said('reportAttempt', yaw, made.ID, { reason: 'absent' })).toBe('409 attempts')
  expect(await said('startReturn', yaw, made.ID)).toBe(200)
  const stored = await server.repo.read(({ deliveries }) => deliveries.get(made.ID))
  expect(stored?.incidents).toHaveLength(3_001)
})

test('R134: a driver accepts the same job three times, and others still do', async () => {
  const [ama, yaw, kojo] = [await server.sender(), await server.driver(), await server.driver()]
  const { ID } = await server.delivery(ama)
  for (let n = 1; n <= 3; n++) {
    expect(await said('acceptDelivery', yaw, ID)).toBe(200)
    expect(await said('releaseJob', yaw, ID, { reason: 'Tyre' })).toBe(200)
  }
  expect(await said('acceptDelivery', yaw, ID)).toBe('409 accepts')
  expect(await said('acceptDelivery', kojo, ID)).toBe(200)
})

describe('R136: a driver accepts no job of their own number', () => {
  test('as sender, as recipient, and as a guest', async () => {
    const [yaw, ama] = [await server.driver(), await server.sender()]
    const own = await server.delivery(yaw)
    const theirs = await server.delivery(ama, { recipientPhone: yaw.phone })
    const guest = await server.guestDelivery({ senderPhone: yaw.phone })
    for (const { ID } of [own, theirs, guest.delivery])
      expect(await said('acceptDelivery', yaw, ID)).toBe('409 own-request')
    expect(await said('acceptDelivery', await server.driver(), theirs.ID)).toBe(200)
  })
})

describe('R21: amounts', () => {
  const create = (by: Person, offer: number) =>
    server.raw('POST', '/sender/deliveries', { token: by.token, body: server.request({ offer }) })

  test('an offer below MIN_OFFER is 400, and one of less than a pesewa is stored nowhere', async () => {
    const ama = await server.sender()
    for (const offer of [0.99, 0.01, 0.001, 1e-9])
      expect((await create(ama, offer)).status, `${offer}`).toBe(400)
    expect((await create(ama, 1)).status).toBe(201)
    expect((await server.ask('config')).value?.minOffer).toBe(1)
  })

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

  test('a share of less than a pesewa is 400 and moves nothing', async () => {
    const [ama, yaw, admin] = [await server.sender(), await server.driver(), await server.admin()]
    const made = await server.delivery(ama)
    await server.drive(made, yaw, 'Picked Up')
    const body = {
      deliveryId: made.ID,
      issue: 'Broken',
      type: 'sender_issue' as const,
      priority: 'medium' as const,
    }
    const { value } = await server.ask('createDispute', { token: ama.token, body })
    const id = value?.dispute.ID ?? ''
    const split = { status: 'resolved', resolution: 'Heard both', decision: 'split' }
    for (const driverShare of [1e-9, 0.001])
      expect(await said('resolveDispute', admin, id, { ...split, driverShare })).toBe('400 invalid')
    expect(await said('resolveDispute', admin, id, { ...split, driverShare: 0.01 })).toBe(200)
  })
})
