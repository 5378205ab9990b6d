import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { settleDueDeliveries } from '#server/rules/due-deliveries.ts'
import {
  type Person,
  photo,
  present,
  startTestServer,
  type TestServer,
} from '../../helpers/server/server.ts'

/*
 * Every change of a delivery by everybody who may make it, and by everybody who may not: who is told of what (R115). The
 * messages are read where they are queued; `sending.test.ts` sends them.
 */

const hour = 60 * 60_000
let server: TestServer
let admin: Person
let stranger: Person
let otherDriver: Person
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.admin()
  stranger = await server.sender()
  otherDriver = await server.driver()
})
afterAll(() => server.close())

const froms = ['Pending', 'Accepted', 'Picked Up', 'attempted', 'returning', 'Delivered'] as const
type From = (typeof froms)[number]
const owners = ['account', 'guest'] as const
type Owner = (typeof owners)[number]
const actors = ['sender', 'driver', 'admin', 'other driver', 'stranger', 'nobody'] as const
type Actor = (typeof actors)[number]

type Case = {
  id: string
  owner: Owner
  made: Delivery
  driver: Person
  /** Of the account or the guest. */
  senderToken: string
  senderPhone: string
  senderId?: string
}

async function caseIn(from: From, owner: Owner): Promise<Case> {
  const driver = await server.driver()
  const known = await begin(owner)
  const of: Case = { ...known, id: known.made.ID, owner, driver }
  if (from === 'attempted' || from === 'returning') {
    await server.drive(of.made, driver, 'Picked Up')
    if (from === 'returning') await server.bringBack(of.id, driver)
    else
      await server.ask('reportAttempt', {
        token: driver.token,
        id: of.id,
        body: { reason: 'absent' },
      })
    if (from === 'attempted') server.clock.advance(hour)
  } else if (from !== 'Pending') await server.drive(of.made, driver, from)
  await server.pool().query('delete from notifications')
  return of
}

async function begin(owner: Owner) {
  if (owner === 'guest') {
    const { delivery, token, phone } = await server.guestDelivery()
    return { made: delivery, senderToken: token, senderPhone: phone }
  }
  const ama = await server.sender()
  const made = await server.delivery(ama)
  const { token, phone, user } = ama
  return { made, senderToken: token, senderPhone: phone, senderId: user.ID }
}

const tokenOf = (actor: Actor, { senderToken, driver }: Case): string | undefined =>
  ({
    sender: senderToken,
    driver: driver.token,
    admin: admin.token,
    'other driver': otherDriver.token,
    stranger: stranger.token,
    nobody: undefined,
  })[actor]

/** Who was told of what since the case began, as `sender: accepted`. */
async function told({ id, senderId, driver }: Case): Promise<string[]> {
  const { rows } = await server
    .pool()
    .query(
      'select kind, audience, user_id from notifications where delivery_id = $1 or delivery_id is null',
      [id],
    )
  const sides = rows.map(({ kind, audience, user_id }) => {
    if (audience === 'route') return `drivers: ${kind}`
    if (audience === 'guest') return `sender: ${kind}`
    if (user_id === driver.user.ID) return `driver: ${kind}`
    return `${user_id === senderId ? 'sender' : 'somebody else'}: ${kind}`
  })
  return sides.sort()
}

/** A call: as the guest of the delivery it has a path of its own. */
type Call = (of: Case, asGuest: boolean) => [method: 'POST' | 'PATCH', path: string, body?: object]

const statusTo =
  (status: string, more = {}): Call =>
  ({ id, senderPhone }, asGuest) =>
    asGuest
      ? ['PATCH', `/guest/deliveries/${id}/status`, { status, guestPhone: senderPhone }]
      : ['PATCH', `/deliveries/${id}/status`, { status, ...more }]
const report =
  (type: 'sender_issue' | 'driver_issue'): Call =>
  ({ id, senderPhone }, asGuest) => {
    const body = { deliveryId: id, issue: 'Late', type, priority: 'medium' }
    return asGuest
      ? ['POST', '/guest/disputes', { ...body, guestPhone: senderPhone }]
      : ['POST', '/disputes', body]
  }
const calls = {
  'gives the job back': ({ id }) => [
    'POST',
    `/driver/deliveries/${id}/release`,
    { reason: 'The car broke down' },
  ],
  'picks it up': statusTo('Picked Up'),
  'reports an attempt': ({ id }) => [
    'POST',
    `/driver/deliveries/${id}/attempt`,
    { reason: 'refused' },
  ],
  'brings it back': ({ id }) => ['POST', `/driver/deliveries/${id}/return`, {}],
  'has it back': ({ id }) => ['POST', `/deliveries/${id}/return/confirm`, {}],
  'hands it over': ({ id, made }) => [
    'POST',
    `/driver/deliveries/${id}/complete`,
    { code: made.deliveryCode },
  ],
  'adds a photo of the hand-over': statusTo('Delivered', { proofOfDelivery: photo }),
  'approves it': statusTo('Approved'),
  'cancels it': statusTo('Cancelled'),
  'reports a sender’s issue': report('sender_issue'),
  'reports a driver’s issue': report('driver_issue'),
  'rejects the driver': ({ driver }) => [
    'PATCH',
    `/admin/drivers/${driver.user.ID}`,
    { status: 'rejected' },
  ],
} satisfies Record<string, Call>
type Act = keyof typeof calls

const carried: From[] = ['Picked Up', 'attempted', 'returning']
const offered = ['drivers: new-job', 'sender: released']
const delivered = ['sender: approval-due', 'sender: delivered']
const cancelled = ['driver: cancelled', 'sender: cancelled']
/** Who may do what in which states, and who is told then. */
const rows: [Actor, Act, readonly From[], string[]][] = [
  ['driver', 'gives the job back', ['Accepted'], offered],
  ['driver', 'picks it up', ['Accepted'], ['sender: picked-up']],
  ['driver', 'reports an attempt', ['Picked Up', 'attempted'], ['sender: attempt']],
  ['driver', 'brings it back', ['attempted'], ['sender: returning']],
  ['sender', 'has it back', ['returning'], ['driver: returning']],
  ['driver', 'hands it over', carried, delivered],
  ['driver', 'adds a photo of the hand-over', ['Delivered'], []],
  ['sender', 'approves it', ['Delivered'], ['driver: approved']],
  ['sender', 'cancels it', ['Pending'], []],
  ['sender', 'cancels it', ['Accepted'], ['driver: cancelled']],
  ['admin', 'cancels it', ['Pending'], ['sender: cancelled']],
  ['admin', 'cancels it', ['Accepted', ...carried], cancelled],
  ['sender', 'reports a sender’s issue', froms, []],
  ['driver', 'reports a driver’s issue', froms.slice(1), []],
  ['admin', 'rejects the driver', ['Accepted'], ['driver: application', ...offered]],
  ['admin', 'rejects the driver', ['Pending', ...carried, 'Delivered'], ['driver: application']],
]
const rowOf = (actor: Actor, act: Act, from: From) =>
  rows.find((row) => row[0] === actor && row[1] === act && row[2].includes(from))

function perform(of: Case, actor: Actor, act: Act) {
  const [method, path, body] = calls[act](of, of.owner === 'guest' && actor === 'sender')
  return server.raw(method, path, { token: tokenOf(actor, of), body })
}

describe.each(owners)('R115: the delivery of a sender with %s', (owner) => {
  test.each(froms)(
    'in %s tells the other side of what is done, and nobody of what is refused',
    async (from) => {
      const all = (Object.keys(calls) as Act[]).flatMap((act) =>
        actors.map((actor) => ({ actor, act, row: rowOf(actor, act, from) })),
      )
      const idle = await caseIn(from, owner)
      for (const { actor, act, row } of all) {
        if (row) continue
        const { status } = await perform(idle, actor, act)
        expect([actor, act, Math.floor(status / 100)]).toEqual([actor, act, 4])
      }
      expect(await told(idle)).toEqual([])
      for (const { actor, act, row } of all) {
        if (!row) continue
        const of = await caseIn(from, owner)
        const { ok } = await perform(of, actor, act)
        expect([actor, act, ok, await told(of)]).toEqual([actor, act, true, row[3]])
      }
    },
  )

  test('is told to its sender when it is accepted, and to drivers when it is made', async () => {
    const of = await caseIn('Pending', owner)
    await server.ask('acceptDelivery', { token: of.driver.token, id: of.id })
    expect(await told(of)).toEqual(['sender: accepted'])
    await server.pool().query('delete from notifications')
    const made = await begin(owner)
    expect(await told({ ...of, ...made, id: made.made.ID })).toEqual(['drivers: new-job'])
  })

  test('is told to both when the server approves it', async () => {
    const of = await caseIn('Delivered', owner)
    server.clock.advance(49 * hour)
    await settleDueDeliveries(server.ports)
    expect(await told(of)).toEqual(['driver: approved', 'sender: approved'])
  })

  test('tells nobody that the server asks support about a return', async () => {
    const of = await caseIn('returning', owner)
    server.clock.advance(49 * hour)
    await settleDueDeliveries(server.ports)
    expect(await told(of)).toEqual([])
  })

  test('is told to its sender when the driver proves the return with the sender’s code', async () => {
    const of = await caseIn('returning', owner)
    const { value } = await server.ask('getDelivery', { token: of.senderToken, id: of.id })
    const code = present(present(value).delivery.returnCode)
    await server.ask('completeDelivery', { token: of.driver.token, id: of.id, body: { code } })
    expect(await told(of)).toEqual(['sender: returning'])
  })

  const reported = async (of: Case, by: 'sender' | 'driver') =>
    (await (await perform(of, by, `reports a ${by}’s issue`)).json()).dispute.ID
  const resolve = async (id: string, decision?: 'release' | 'refund' | 'split' | 'none') => {
    const { status } = await server.raw('PATCH', `/admin/disputes/${id}`, {
      token: admin.token,
      body: {
        status: 'resolved',
        resolution: 'We spoke to both.',
        decision,
        ...(decision === 'split' ? { driverShare: 10 } : {}),
      },
    })
    expect(status).toBe(200)
  }

  test.each(['release', 'refund', 'split'] as const)(
    'is told to both sides when support decides to %s the money',
    async (decision) => {
      for (const by of ['sender', 'driver'] as const) {
        const of = await caseIn('Picked Up', owner)
        await resolve(await reported(of, by), decision)
        expect(await told(of)).toEqual(['driver: dispute', 'sender: dispute'])
      }
    },
  )

  test.each(['sender', 'driver'] as const)(
    'is told to the %s who reported when support answers, after a decision too',
    async (by) => {
      const of = await caseIn('Picked Up', owner)
      await resolve(await reported(of, by), 'none')
      expect(await told(of)).toEqual([`${by}: dispute`])
      const [first, second] = [await reported(of, by), await reported(of, by)]
      await resolve(first, 'refund')
      await server.pool().query('delete from notifications')
      await resolve(second)
      expect(await told(of)).toEqual([`${by}: dispute`])
    },
  )

  test('R106: is announced anew when support’s answer moves the approval, and once', async () => {
    const of = await caseIn('Delivered', owner)
    const [first, second] = [await reported(of, 'sender'), await reported(of, 'driver')]
    await resolve(first)
    expect(await told(of)).toEqual(['sender: dispute'])
    server.clock.advance(30 * hour)
    await resolve(second)
    await resolve(await reported(of, 'sender'))
    expect(await told(of)).toEqual([
      'driver: dispute',
      'sender: approval-due',
      'sender: dispute',
      'sender: dispute',
    ])
    const { rows } = await server
      .pool()
      .query(
        `select n.due_at, d.due_at as approved_at from notifications n join deliveries d on d.id = n.delivery_id where n.kind = 'approval-due'`,
      )
    expect(rows[0].approved_at - rows[0].due_at).toBe(24 * hour)
  })
})

test('R115: a driver is told of each decision on their application', async () => {
  const driver = await server.signUp('driver')
  for (const status of ['approved', 'rejected'] as const)
    await server.ask('reviewDriver', { token: admin.token, id: driver.user.ID, body: { status } })
  const { rows } = await server
    .pool()
    .query('select kind from notifications where user_id = $1', [driver.user.ID])
  expect(rows).toEqual([{ kind: 'application' }, { kind: 'application' }])
})
