import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints, type Op } from '#contract/endpoints.ts'
import type { BodyOf } from '#contract/queries.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { DecisionKind } from '#domain/deliveries/endings/incidents.ts'
import { settleDueDeliveries } from '#server/rules/deliveries/due-deliveries.ts'
import { drawHandover } from '#store/deliveries/draw-handover.ts'
import { moneyFault } from '../../../helpers/server/money-fault.ts'
import { type Person, photo, present } from '../../../helpers/server/server.ts'
import { overIndexedDb } from '../../both-adapters.ts'

const hour = 3_600_000

/* A cancel of a job that a driver has, and what the driver did before it. */

overIndexedDb((server) => {
  let admin: Person
  beforeAll(async () => {
    admin = await server().admin()
  })

  async function begun(to: 'Accepted' | 'Picked Up' = 'Accepted') {
    const [ama, yaw] = [await server().sender(), await server().driver()]
    const { secret, hashes } = drawHandover()
    const made = await server().delivery(ama, hashes)
    await server().drive(made, yaw, to)
    const before = new Date(server().clock.now()).toISOString()
    server().clock.advance(60_000)
    return { ama, yaw, id: made.ID, made, secret, before }
  }

  /** A call by its path: its status, and the body or the reason of a refusal. */
  async function said<O extends Op>(
    op: O,
    by: Person,
    id: string,
    body: BodyOf<O> | object = {},
    occurredAt?: string,
  ) {
    const { method, path } = endpoints[op]
    const headers = occurredAt === undefined ? undefined : { 'occurred-at': occurredAt }
    const answer = await server().raw(method, path.replace(':id', id), {
      token: by.token,
      body,
      headers,
    })
    const { reason, ...rest } = await answer.json()
    return { status: answer.status, reason, ...rest }
  }
  const cancel = (by: Person, id: string) => said('changeStatus', by, id, { status: 'Cancelled' })
  const pickUp = (by: Person, id: string, at?: string) =>
    said('changeStatus', by, id, { status: 'Picked Up' }, at)
  const seen = (by: Person, id: string) => said('acknowledgeCancel', by, id)
  const sweepAfter = (hours: number) =>
    settleDueDeliveries({ ...server().ports, clock: () => server().clock.now() + hours * hour })
  const disputesOf = (id: string) => server().repo.read(({ disputes }) => disputes.ofDelivery(id))
  const promised = (id: string) =>
    server().repo.read(({ ledger }) => ledger.balance(`promised:${id}`))
  const resolve = async (id: string, decision: DecisionKind, driverShare?: number) => {
    const [dispute] = (await disputesOf(id)).filter(({ status }) => status === 'open')
    const body = { status: 'resolved', resolution: 'Heard both', decision, driverShare }
    return said('resolveDispute', admin, present(dispute).ID, body)
  }

  /** The stored delivery, whose money is where it says. */
  async function stored(id: string): Promise<Delivery> {
    const found = present(await server().repo.read(({ deliveries }) => deliveries.get(id)))
    const transfers = await server().repo.read(({ ledger }) => ledger.of(id))
    expect(moneyFault(found, transfers)).toBeUndefined()
    return found
  }

  describe('R123: the money of a cancelled job is held', () => {
    test('until its driver’s phone has seen the cancel; looking ends nothing', async () => {
      const { ama, yaw, id } = await begun()
      const cancelled = await cancel(ama, id)
      expect(cancelled).toMatchObject({ status: 200 })
      expect(cancelled.delivery).toMatchObject({ status: 'Cancelled', refund: 'held' })
      expect(await promised(id)).toBe(6050)
      await server().ask('getDelivery', { token: yaw.token, id })
      await server().ask('driverDeliveries', { token: yaw.token })
      await sweepAfter(23.9)
      expect(await stored(id)).toMatchObject({ refund: 'held' })
      const other = await server().driver()
      expect(await seen(other, id)).toMatchObject({ status: 404 })
      expect(await seen(ama, id)).toMatchObject({ status: 403 })
      expect((await seen(yaw, id)).delivery).toMatchObject({ status: 'Cancelled', refund: 'done' })
      expect(await promised(id)).toBe(0)
      expect((await seen(yaw, id)).delivery).toMatchObject({ refund: 'done' })
      expect((await stored(id)).history?.map(({ status }) => status)).toEqual([
        'Pending',
        'Accepted',
        'Cancelled',
      ])
    })

    test('at most 24 hours', async () => {
      const { ama, id } = await begun()
      await cancel(ama, id)
      await sweepAfter(24.1)
      expect(await stored(id)).toMatchObject({ status: 'Cancelled', refund: 'done' })
      expect(await sweepAfter(24.1)).toBe(0)
    })

    test('also where an admin or a guest has cancelled, and not where no driver had it', async () => {
      const { id } = await begun('Picked Up')
      expect((await cancel(admin, id)).delivery).toMatchObject({ refund: 'held' })
      const guest = await server().guestDelivery()
      await server().drive(guest.delivery, await server().driver(), 'Accepted')
      const body = { status: 'Cancelled', guestPhone: guest.phone }
      const path = `/guest/deliveries/${guest.delivery.ID}/status`
      const answer = await server().raw('PATCH', path, { token: guest.token, body })
      expect((await answer.json()).delivery).toMatchObject({ refund: 'held' })
      const ama = await server().sender()
      const { ID } = await server().delivery(ama)
      expect((await cancel(ama, ID)).delivery.refund).toBeUndefined()
      expect(await stored(ID)).toMatchObject({ status: 'Cancelled' })
    })

    test('a sender may request anew meanwhile, and the driver accept another', async () => {
      const { ama, yaw, id } = await begun()
      await cancel(ama, id)
      const next = await server().delivery(ama)
      expect(await said('acceptDelivery', yaw, next.ID)).toMatchObject({ status: 200 })
    })

    test('an issue about it holds the money no longer', async () => {
      const { ama, yaw, id } = await begun()
      await cancel(ama, id)
      const report = { deliveryId: id, issue: 'Unfair', type: 'driver_issue' }
      expect(await said('createDispute', yaw, id, report)).toMatchObject({ status: 201 })
      await sweepAfter(24.1)
      expect(await stored(id)).toMatchObject({ refund: 'done', disputed: true })
    })
  })

  describe('R124: what was done before the cancel and is heard after it', () => {
    test.each(['the code', 'the secret'])('opens one dispute: a pick-up and %s', async (how) => {
      const { ama, yaw, id, made, secret, before } = await begun()
      await cancel(ama, id)
      const picked = await pickUp(yaw, id, before)
      expect(picked).toMatchObject({
        status: 202,
        delivery: { status: 'Cancelled', refund: 'held', disputed: true },
        dispute: { DeliveryID: id, status: 'open', type: 'driver_issue' },
      })
      const proof = how === 'the code' ? { code: made.deliveryCode } : { handoverSecret: secret }
      const done = await said('completeDelivery', yaw, id, proof, before)
      expect(done).toMatchObject({ status: 202, dispute: { ID: picked.dispute.ID } })
      expect(await disputesOf(id)).toHaveLength(1)
      const late = (await stored(id)).history?.filter((step) => step.late)
      expect(late).toMatchObject([{ status: 'Picked Up' }, { status: 'Delivered' }])
      const hers = await server().ask('getDelivery', { token: ama.token, id })
      expect(hers.value?.delivery).toMatchObject({ refund: 'held', disputed: true })
      const again = await said('completeDelivery', yaw, id, proof, before)
      expect(again).toMatchObject({ status: 409, reason: 'wrong-status' })
    })

    test('in a batch what comes after it is not skipped, and a photo of it is taken', async () => {
      const { ama, yaw, id, made, before: occurredAt } = await begun()
      await cancel(ama, id)
      const path = `/deliveries/${id}/status`
      const [k1, k2, k3, k4] = [1, 2, 3, 4].map(() => crypto.randomUUID()) as string[]
      const done = { method: 'POST', path: `/driver/deliveries/${id}/complete` }
      const proof = { status: 'Delivered', proofOfDelivery: photo }
      const operations = [
        { key: k1, method: 'PATCH', path, body: { status: 'Picked Up' }, occurredAt },
        { key: k2, ...done, body: { code: made.deliveryCode }, occurredAt, after: [k1] },
        { key: k3, method: 'PATCH', path, body: proof, occurredAt, after: [k2] },
        { key: k4, method: 'POST', path: `/driver/deliveries/${id}/cancel-seen`, after: [k3] },
      ]
      const answer = await server().raw('POST', '/batch', {
        token: yaw.token,
        body: { operations },
      })
      const lines = (await answer.text()).trim().split('\n')
      const statuses = lines.map((line) => JSON.parse(line).status)
      expect(statuses).toEqual([202, 202, 200, 200])
      // The phone has seen it, and so has the clock: only an admin moves it now.
      await sweepAfter(1_000)
      expect(await stored(id)).toMatchObject({ refund: 'held', proofOfDelivery: photo })
    })

    test('a wrong code is 400 and a counted try, and opens nothing', async () => {
      const { yaw, id, made, before } = await begun('Picked Up')
      await cancel(admin, id)
      const wrong = made.deliveryCode === '11111' ? '22222' : '11111'
      for (let tries = 0; tries < 5; tries++)
        expect(await said('completeDelivery', yaw, id, { code: wrong }, before)).toMatchObject({
          reason: 'wrong-code',
        })
      const code = made.deliveryCode
      expect(await said('completeDelivery', yaw, id, { code }, before)).toMatchObject({
        status: 429,
      })
      expect(await disputesOf(id)).toEqual([])
      const { refund, disputed } = await stored(id)
      expect([refund, disputed]).toEqual(['held', undefined])
    })

    test('later than the cancel, without a time, or after the money went back it is 409', async () => {
      const { ama, yaw, id, before } = await begun()
      await cancel(ama, id)
      server().clock.advance(60_000)
      const late = new Date(server().clock.now()).toISOString()
      expect(await pickUp(yaw, id, late)).toMatchObject({ status: 409, reason: 'wrong-status' })
      expect(await pickUp(yaw, id)).toMatchObject({ status: 409, reason: 'wrong-status' })
      const other = await server().driver()
      expect(await pickUp(other, id, before)).toMatchObject({ status: 404 })
      await seen(yaw, id)
      expect(await pickUp(yaw, id, before)).toMatchObject({ status: 409 })
      expect(await stored(id)).toMatchObject({ refund: 'done' })
    })

    test('a code without a pick-up before it is 409', async () => {
      const { ama, yaw, id, made, before } = await begun()
      await cancel(ama, id)
      const done = await said('completeDelivery', yaw, id, { code: made.deliveryCode }, before)
      expect(done).toMatchObject({ status: 409, reason: 'wrong-status' })
    })

    test('the sender’s own code proves a return', async () => {
      const { yaw, id } = await begun('Picked Up')
      await server().bringBack(id, yaw)
      const before = new Date(server().clock.now()).toISOString()
      const { returnCode } = await stored(id)
      await cancel(admin, id)
      const done = await said('completeDelivery', yaw, id, { code: returnCode }, before)
      expect(done).toMatchObject({ status: 202, delivery: { refund: 'held' } })
    })

    test('a driver who was rejected meanwhile is heard too', async () => {
      const { ama, yaw, id, before } = await begun()
      await cancel(ama, id)
      await said('reviewDriver', admin, yaw.user.ID, { status: 'rejected' })
      expect(await pickUp(yaw, id, before)).toMatchObject({ status: 202 })
      expect(await stored(id)).toMatchObject({ refund: 'held' })
    })

    test.each([
      ['release', { status: 'Approved', refund: undefined }, 6050],
      ['refund', { status: 'Cancelled', refund: 'done' }, 0],
      ['split', { status: 'Cancelled', refund: 'done', outcome: 'split', driverShare: 20 }, 2000],
      ['none', { status: 'Cancelled', refund: 'done' }, 0],
    ] as const)('an admin decides once: %s', async (kind, then, paid) => {
      const { ama, yaw, id, made, before } = await begun()
      await cancel(ama, id)
      await pickUp(yaw, id, before)
      await said('completeDelivery', yaw, id, { code: made.deliveryCode }, before)
      await seen(yaw, id)
      expect(await resolve(id, kind, kind === 'split' ? 20 : undefined)).toMatchObject({
        status: 200,
      })
      expect(await stored(id)).toMatchObject({ ...then, decision: { kind }, disputed: undefined })
      const pesewas = await server().repo.read(({ ledger }) => ledger.balance(`owed:${id}`))
      expect(pesewas).toBe(paid)
      const report = { deliveryId: id, issue: 'Again', type: 'sender_issue' }
      await said('createDispute', ama, id, report)
      expect(await resolve(id, 'refund')).toMatchObject({ status: 409, reason: 'wrong-status' })
    })

    test('an answer to another issue leaves it held while the claim is open', async () => {
      const { ama, yaw, id, before } = await begun()
      const report = { deliveryId: id, issue: 'Rude', type: 'sender_issue' }
      await said('createDispute', ama, id, report)
      await cancel(ama, id)
      await pickUp(yaw, id, before)
      await resolve(id, 'none')
      expect(await stored(id)).toMatchObject({ refund: 'held', disputed: true })
      await resolve(id, 'none')
      expect(await stored(id)).toMatchObject({ refund: 'done' })
    })
  })

  describe('R125: a contested pick-up', () => {
    test('opens a dispute once, and is in the way of no new request', async () => {
      const { ama, yaw, id, made } = await begun('Picked Up')
      const active = async () =>
        (await server().ask('senderActiveDeliveries', { token: ama.token })).value
      expect((await active())?.deliveries.map(({ ID }) => ID)).toEqual([id])
      expect(await said('contestPickUp', yaw, id, { reason: 'Me' })).toMatchObject({ status: 404 })
      const reason = 'It is still here'
      const contested = await said('contestPickUp', ama, id, { reason })
      expect(contested).toMatchObject({
        status: 200,
        delivery: { status: 'Picked Up', contested: true, disputed: true },
        dispute: { issue: reason, type: 'sender_issue', status: 'open' },
      })
      expect(await said('contestPickUp', ama, id, { reason })).toMatchObject({ status: 409 })
      expect((await active())?.deliveries).toEqual([])
      const next = await server().delivery(ama)
      expect((await active())?.deliveries.map(({ ID }) => ID)).toEqual([next.ID])
      const done = await said('completeDelivery', yaw, id, { code: made.deliveryCode })
      expect(done).toMatchObject({ status: 200 })
      expect(await said('changeStatus', ama, id, { status: 'Approved' })).toMatchObject({
        reason: 'disputed',
      })
      await resolve(id, 'refund')
      expect(await stored(id)).toMatchObject({ status: 'Cancelled' })
    })

    test('by a guest with the token, and only what is picked up', async () => {
      const guest = await server().guestDelivery()
      const id = guest.delivery.ID
      const path = `/deliveries/${id}/contest`
      const body = { reason: 'Nobody came' }
      const contest = async () =>
        (await server().raw('POST', path, { token: guest.token, body })).status
      expect(await contest()).toBe(409)
      await server().drive(guest.delivery, await server().driver(), 'Picked Up')
      expect(await contest()).toBe(200)
    })
  })
})
