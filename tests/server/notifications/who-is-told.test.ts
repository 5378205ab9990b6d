import { describe, expect, test } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { settleDueDeliveries } from '#server/rules/deliveries/due-deliveries.ts'
import { photo, present, pushService } from '../../helpers/server/server.ts'
import { serverFixture } from '../server-fixture.ts'

/*
 * Every change of a delivery by everybody who may make it, and by everybody who may not: who is told of what (R115). The
 * messages are read where they are queued; `sending.test.ts` sends them.
 */

const hour = 60 * 60_000
const server = await serverFixture()
const admin = await server.admin()
// Only an admin with a browser that is told is told of anything (R224).
const keys = { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) }
await server.ask('subscribe', { token: admin.token, body: { endpoint: `${pushService}/a`, keys } })
const stranger = await server.sender()
// Busy, so that only the driver of a case accepts it.
const otherDriver = await server.driver()
await server.drive(await server.delivery(await server.sender()), otherDriver, 'Accepted')

const froms = ['Pending', 'Accepted', 'Picked Up', 'attempted', 'returning', 'Delivered'] as const
type From = (typeof froms)[number]
const owners = ['account', 'guest'] as const
const actors = ['sender', 'driver', 'admin', 'other driver', 'stranger', 'nobody'] as const
type Actor = (typeof actors)[number]
const parties: Actor[] = ['sender', 'driver', 'admin']
type Case = Awaited<ReturnType<typeof requested>>

/** A request of an account or a guest, and a driver who may accept it; what was queued before is forgotten. */
async function requested(owner: (typeof owners)[number]) {
  await forget()
  const driver = await server.driver()
  const ama = owner === 'account' ? await server.sender() : undefined
  const { token, phone, delivery } = ama
    ? { ...ama, delivery: await server.delivery(ama) }
    : await server.guestDelivery()
  const tokens: Record<Actor, string | undefined> = {
    sender: token,
    driver: driver.token,
    admin: admin.token,
    'other driver': otherDriver.token,
    stranger: stranger.token,
    nobody: undefined,
  }
  const made: Delivery = delivery
  return { id: made.ID, made, driver, tokens, phone, isGuest: !ama, sender: ama?.user.ID }
}

async function caseIn(from: From, owner: (typeof owners)[number]): Promise<Case> {
  const of = await requested(owner)
  const { id, made, driver } = of
  const isTried = from === 'attempted' || from === 'returning'
  if (from !== 'Pending') await server.drive(made, driver, isTried ? 'Picked Up' : from)
  if (from === 'returning') await server.bringBack(id, driver)
  if (from === 'attempted') {
    await server.ask('reportAttempt', { token: driver.token, id, body: { reason: 'absent' } })
    server.clock.advance(hour)
  }
  await forget()
  return of
}

const forget = () => server.pool().query('delete from notifications')

/** Who was told of what since the case began, as `sender: accepted`. */
async function told({ id, sender, driver }: Case): Promise<string[]> {
  const sql = `select kind, audience, user_id from notifications where delivery_id = $1 or delivery_id is null`
  const { rows } = await server.pool().query(sql, [id])
  const sides = rows.map(({ kind, audience, user_id }) => {
    if (audience === 'route') return `drivers: ${kind}`
    if (audience === 'guest' || user_id === sender) return `sender: ${kind}`
    if (user_id === admin.user.ID) return `office: ${kind}`
    return `${user_id === driver.user.ID ? 'driver' : 'somebody else'}: ${kind}`
  })
  return sides.sort()
}

const toldSides = async (of: Case) => (await told(of)).filter((line) => !line.startsWith('office'))

/** A call as somebody makes it; the guest of a delivery has paths of their own. */
type Call = (of: Case, asGuest: boolean) => Asked | Promise<Asked>
type Asked = [call: string, body?: object]

const driving =
  (what: string, body: object = {}): Call =>
  () => [`POST /driver/deliveries/:id/${what}`, body]
const status =
  (status: string, more = {}): Call =>
  ({ phone }, asGuest) =>
    asGuest
      ? ['PATCH /guest/deliveries/:id/status', { status, guestPhone: phone }]
      : ['PATCH /deliveries/:id/status', { status, ...more }]
const report =
  (type: 'sender_issue' | 'driver_issue'): Call =>
  ({ id, phone }, asGuest) => {
    const body = { deliveryId: id, issue: 'Late', type, priority: 'medium' }
    return asGuest
      ? ['POST /guest/disputes', { ...body, guestPhone: phone }]
      : ['POST /disputes', body]
  }
const calls = {
  'accepts it': () => ['PATCH /driver/deliveries/:id/accept'],
  'gives it back': driving('release', { reason: 'The car broke down' }),
  'picks it up': status('Picked Up'),
  'reports an attempt': driving('attempt', { reason: 'refused' }),
  'brings it back': driving('return'),
  'has it back': () => ['POST /deliveries/:id/return/confirm', {}],
  'enters the return code': async ({ id, tokens: { sender: token } }) => {
    const { value } = await server.ask('getDelivery', { token, id })
    return ['POST /driver/deliveries/:id/complete', { code: value?.delivery.returnCode }]
  },
  'hands it over': ({ made }) => [
    'POST /driver/deliveries/:id/complete',
    { code: made.deliveryCode },
  ],
  'adds a photo of the hand-over': status('Delivered', { proofOfDelivery: photo }),
  'approves it': status('Approved'),
  'cancels it': status('Cancelled'),
  'raises the offer': () => ['POST /deliveries/:id/offer', { offer: 99 }],
  'reports a sender’s issue': report('sender_issue'),
  'reports a driver’s issue': report('driver_issue'),
  'reports it for the sender': () => [
    'POST /admin/deliveries/:id/dispute',
    { side: 'sender', issue: 'She called' },
  ],
  'rejects the driver': ({ driver }) => [
    `PATCH /admin/drivers/${driver.user.ID}`,
    { status: 'rejected' },
  ],
  'puts it back on offer': () => [
    'POST /admin/deliveries/:id/driver',
    { driver: null, reason: 'Bike broke down' },
  ],
  'gives it to the driver': ({ driver }) => [
    'POST /admin/deliveries/:id/driver',
    { driver: driver.user.ID, reason: 'She asked for him' },
  ],
} satisfies Record<string, Call>
type Act = keyof typeof calls

async function perform(of: Case, actor: Actor | 'server', act: Act | 'ends it') {
  if (actor === 'server' || act === 'ends it') {
    server.clock.advance(49 * hour)
    await settleDueDeliveries(server.ports)
    return Response.json({})
  }
  const call: Call = calls[act]
  const [asked, body] = await call(of, of.isGuest && actor === 'sender')
  const [method = '', path = ''] = asked.replace(':id', of.id).split(' ')
  return server.raw(method, path, { token: of.tokens[actor], body })
}

const carried: From[] = ['Picked Up', 'attempted', 'returning']
const offered = ['drivers: new-job', 'sender: released']
const delivered = ['sender: approval-due', 'sender: delivered']
const cancelled = ['driver: cancelled', 'sender: cancelled']
const approved = ['driver: approved', 'sender: approved']
/** Who may do what in which states, and who is told then. */
const rows: [Actor | 'server', Act | 'ends it', readonly From[], string[]][] = [
  ['driver', 'accepts it', ['Pending'], ['sender: accepted']],
  ['driver', 'gives it back', ['Accepted'], offered],
  ['driver', 'picks it up', ['Accepted'], ['sender: picked-up']],
  ['driver', 'reports an attempt', ['Picked Up', 'attempted'], ['sender: attempt']],
  ['driver', 'brings it back', ['attempted'], ['sender: returning']],
  ['driver', 'enters the return code', ['returning'], ['sender: returning']],
  ['sender', 'has it back', ['returning'], ['driver: returning']],
  ['driver', 'hands it over', carried, delivered],
  ['driver', 'adds a photo of the hand-over', ['Delivered'], []],
  ['sender', 'approves it', ['Delivered'], ['driver: approved']],
  ['sender', 'cancels it', ['Pending'], []],
  ['sender', 'raises the offer', ['Pending'], ['drivers: new-job']],
  ['sender', 'cancels it', ['Accepted'], ['driver: cancelled']],
  ['admin', 'approves it', ['Delivered'], approved],
  ['admin', 'puts it back on offer', ['Accepted'], ['driver: released', ...offered]],
  ['admin', 'gives it to the driver', ['Pending'], ['driver: accepted', 'sender: accepted']],
  ['admin', 'cancels it', ['Pending'], ['sender: cancelled']],
  ['admin', 'cancels it', ['Accepted', ...carried], cancelled],
  ['sender', 'reports a sender’s issue', froms, ['office: office-dispute']],
  ['driver', 'reports a driver’s issue', froms.slice(1), ['office: office-dispute']],
  ['admin', 'reports it for the sender', froms, []],
  ['admin', 'rejects the driver', ['Accepted'], ['driver: application', ...offered]],
  ['admin', 'rejects the driver', ['Pending', 'Delivered'], ['driver: application']],
  ['admin', 'rejects the driver', carried, ['driver: application', 'office: office-dispute']],
  ['server', 'ends it', ['Delivered'], approved],
  // It asks support about a return that nobody confirms, and leaves the others alone.
  ['server', 'ends it', ['returning'], ['office: office-dispute']],
  ['server', 'ends it', froms.slice(0, 4), []],
]

describe.each(owners)('R115, R224: the delivery of a sender with %s', (owner) => {
  test('is told to drivers when it is made; a driver, that they are approved', async () => {
    expect(await told(await requested(owner))).toEqual([
      'driver: application',
      'drivers: new-job',
      'office: office-application',
    ])
  })

  test.each(froms)(
    'in %s tells the other side of what is done, and nobody of what is refused',
    async (from) => {
      const mayBe = rows.filter(([_, __, states]) => states.includes(from))
      // Who has no part in the delivery is refused alike in every state, and so are the others alike by a guest's.
      const refused = actors.filter((actor) =>
        owner === 'guest' ? actor === 'sender' : from === 'Pending' || parties.includes(actor),
      )
      const idle = await caseIn(from, owner)
      for (const act of Object.keys(calls) as Act[])
        for (const actor of refused) {
          if (mayBe.some((row) => row[0] === actor && row[1] === act)) continue
          const { status } = await perform(idle, actor, act)
          expect([actor, act, Math.floor(status / 100)]).toEqual([actor, act, 4])
        }
      expect(await told(idle)).toEqual([])
      for (const [actor, act, states, who] of mayBe) {
        if (owner === 'guest' && from !== states[0]) continue
        const of = await caseIn(from, owner)
        const { ok } = await perform(of, actor, act)
        expect([actor, act, ok, await told(of)]).toEqual([actor, act, true, who])
      }
    },
  )

  const reported = async (of: Case, by: 'sender' | 'driver') =>
    (await (await perform(of, by, `reports a ${by}’s issue`)).json()).dispute.ID
  const resolve = async (id: string, decision?: string) => {
    const more = decision === 'split' ? { decision, driverShare: 10 } : { decision }
    const body = { status: 'resolved', resolution: 'We spoke to both.', ...more }
    const { status } = await server.raw('PATCH', `/admin/disputes/${id}`, {
      token: admin.token,
      body,
    })
    expect(status).toBe(200)
  }

  test.each(['release', 'refund', 'split', 'none'])(
    'is told to both when support decides about the money, to who reported when it answers: %s',
    async (decision) => {
      for (const by of ['sender', 'driver'] as const) {
        const of = await caseIn('Picked Up', owner)
        const [first, second] = [await reported(of, by), await reported(of, by)]
        const answered = [`${by}: dispute`]
        await resolve(first, decision)
        const both = ['driver: dispute', 'sender: dispute']
        expect(await toldSides(of)).toEqual(decision === 'none' ? answered : both)
        await forget()
        await resolve(second)
        expect(await toldSides(of)).toEqual(answered)
      }
    },
  )

  test('R106: is announced anew when support’s answer moves the approval, and once', async () => {
    const of = await caseIn('Delivered', owner)
    const [first, second] = [await reported(of, 'sender'), await reported(of, 'driver')]
    await resolve(first)
    expect(await toldSides(of)).toEqual(['sender: dispute'])
    server.clock.advance(30 * hour)
    await resolve(second)
    await resolve(await reported(of, 'sender'))
    const answers = ['driver: dispute', 'sender: dispute', 'sender: dispute']
    expect(await toldSides(of)).toEqual([...answers, 'sender: approval-due'].sort())
    const sql = `select n.due_at, d.due_at as end from notifications n join deliveries d on d.id = n.delivery_id where n.kind = 'approval-due'`
    const [reminder] = (await server.pool().query(sql)).rows
    expect(present(reminder).end - present(reminder).due_at).toBe(24 * hour)
  })
})
