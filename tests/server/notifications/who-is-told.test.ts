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

type From = 'Pending' | 'Accepted' | 'Picked Up' | 'attempted' | 'returning' | 'Delivered'
const froms: From[] = ['Pending', 'Accepted', 'Picked Up', 'attempted', 'returning', 'Delivered']
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

type Call = (of: Case, token: string | undefined) => Promise<Response>
type Act = {
  call: Call
  /** Who may do it, in which states, and who is told then. */
  may: Partial<Record<Actor, { from: From[]; told: string[] | ((from: From) => string[]) }>>
}

const post =
  (path: string, body: (of: Case) => object = () => ({})): Call =>
  (of, token) =>
    server.raw('POST', path.replace(':id', of.id), { token, body: body(of) })

const statusTo =
  (status: string): Call =>
  (of, token) =>
    of.owner === 'guest' && token === of.senderToken
      ? server.raw('PATCH', `/guest/deliveries/${of.id}/status`, {
          token,
          body: { status, guestPhone: of.senderPhone },
        })
      : server.raw('PATCH', `/deliveries/${of.id}/status`, { token, body: { status } })

const carried: From[] = ['Picked Up', 'attempted', 'returning']
const pending = ['drivers: new-job', 'sender: released']
const acts: Record<string, Act> = {
  'gives the job back': {
    call: post('/driver/deliveries/:id/release', () => ({ reason: 'The car broke down' })),
    may: { driver: { from: ['Accepted'], told: pending } },
  },
  'picks it up': {
    call: statusTo('Picked Up'),
    may: { driver: { from: ['Accepted'], told: ['sender: picked-up'] } },
  },
  'reports an attempt': {
    call: post('/driver/deliveries/:id/attempt', () => ({ reason: 'refused' })),
    may: { driver: { from: ['Picked Up', 'attempted'], told: ['sender: attempt'] } },
  },
  'brings it back': {
    call: post('/driver/deliveries/:id/return'),
    may: { driver: { from: ['attempted'], told: ['sender: returning'] } },
  },
  'has it back': {
    call: post('/deliveries/:id/return/confirm'),
    may: { sender: { from: ['returning'], told: ['driver: returning'] } },
  },
  'hands it over': {
    call: post('/driver/deliveries/:id/complete', ({ made }) => ({ code: made.deliveryCode })),
    may: {
      driver: { from: carried, told: ['sender: approval-due', 'sender: delivered'] },
    },
  },
  'adds a photo of the hand-over': {
    call: (of, token) =>
      server.raw('PATCH', `/deliveries/${of.id}/status`, {
        token,
        body: { status: 'Delivered', proofOfDelivery: photo },
      }),
    may: { driver: { from: ['Delivered'], told: [] } },
  },
  'approves it': {
    call: statusTo('Approved'),
    may: { sender: { from: ['Delivered'], told: ['driver: approved'] } },
  },
  'cancels it': {
    call: statusTo('Cancelled'),
    may: {
      sender: {
        from: ['Pending', 'Accepted'],
        told: (from) => (from === 'Pending' ? [] : ['driver: cancelled']),
      },
      admin: {
        from: ['Pending', 'Accepted', ...carried],
        told: (from) =>
          from === 'Pending' ? ['sender: cancelled'] : ['driver: cancelled', 'sender: cancelled'],
      },
    },
  },
  'reports an issue': {
    call: (of, token) => {
      const isGuest = of.owner === 'guest' && token === of.senderToken
      const type = token === of.driver.token ? 'driver_issue' : 'sender_issue'
      const body = { deliveryId: of.id, issue: 'Late', type, priority: 'medium' }
      return server.raw('POST', isGuest ? '/guest/disputes' : '/disputes', {
        token,
        body: isGuest ? { ...body, guestPhone: of.senderPhone } : body,
      })
    },
    may: {
      sender: { from: froms, told: [] },
      driver: { from: froms.filter((from) => from !== 'Pending'), told: [] },
    },
  },
  'rejects the driver': {
    call: ({ driver }, token) =>
      server.raw('PATCH', `/admin/drivers/${driver.user.ID}`, {
        token,
        body: { status: 'rejected' },
      }),
    may: {
      admin: {
        from: froms,
        told: (from) => ['driver: application', ...(from === 'Accepted' ? pending : [])],
      },
    },
  },
}

const mayDo = ({ may }: Act, actor: Actor, from: From) => {
  const rule = may[actor]
  return rule?.from.includes(from) ? rule : undefined
}

describe.each(owners)('R115: the delivery of a sender with %s', (owner) => {
  describe.each(froms)('in %s', (from) => {
    test('tells nobody of what was refused', async () => {
      const of = await caseIn(from, owner)
      for (const [name, act] of Object.entries(acts))
        for (const actor of actors) {
          if (mayDo(act, actor, from)) continue
          const { status } = await act.call(of, tokenOf(actor, of))
          expect([name, actor, status >= 400 && status < 500]).toEqual([name, actor, true])
        }
      expect(await told(of)).toEqual([])
    })

    for (const [name, act] of Object.entries(acts))
      for (const actor of actors) {
        const rule = mayDo(act, actor, from)
        if (!rule) continue
        test(`is told to the other side when the ${actor} ${name}`, async () => {
          const of = await caseIn(from, owner)
          const { status } = await act.call(of, tokenOf(actor, of))
          expect(status).toBeLessThan(300)
          const expected = typeof rule.told === 'function' ? rule.told(from) : rule.told
          expect(await told(of)).toEqual([...expected].sort())
        })
      }
  })

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

  const report = async (of: Case, by: 'sender' | 'driver') => {
    const answer = await present(acts['reports an issue']).call(of, tokenOf(by, of))
    return (await answer.json()).dispute.ID
  }
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
        await resolve(await report(of, by), decision)
        expect(await told(of)).toEqual(['driver: dispute', 'sender: dispute'])
      }
    },
  )

  test.each(['sender', 'driver'] as const)(
    'is told to the %s who reported when support answers, after a decision too',
    async (by) => {
      const of = await caseIn('Picked Up', owner)
      await resolve(await report(of, by), 'none')
      expect(await told(of)).toEqual([`${by}: dispute`])
      const [first, second] = [await report(of, by), await report(of, by)]
      await resolve(first, 'refund')
      await server.pool().query('delete from notifications')
      await resolve(second)
      expect(await told(of)).toEqual([`${by}: dispute`])
    },
  )

  test('R106: is announced anew when support’s answer moves the approval, and once', async () => {
    const of = await caseIn('Delivered', owner)
    const [first, second] = [await report(of, 'sender'), await report(of, 'driver')]
    await resolve(first)
    expect(await told(of)).toEqual(['sender: dispute'])
    server.clock.advance(30 * hour)
    await resolve(second)
    await resolve(await report(of, 'sender'))
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
