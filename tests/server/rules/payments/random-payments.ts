import { expect, test } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { PaymentMode } from '#domain/deliveries/payment.ts'
import { verifyLedger } from '#server/postgres/checks/verify-ledger.ts'
import { settleDueDeliveries } from '#server/rules/deliveries/due-deliveries.ts'
import { reconcile } from '#server/rules/payments/reconcile.ts'
import { paidServerFixture } from '../../../helpers/payments/paid-server.ts'
import { present } from '../../../helpers/present.ts'
import type { Person } from '../../../helpers/server/server.ts'

/** Each goes through its deliveries one after another. */
const lanes = 8
const hour = 60 * 60_000
const decisions = ['release', 'refund', 'split', 'none'] as const

/**
 * Deliveries with random exits, while the provider fails at random before, during and after it acts. In the end all money
 * that came in has gone to somebody, once, and every book says the same.
 */
export async function randomPayments(count: number, mode: PaymentMode, seed = 1) {
  const server = await paidServerFixture({ feePercent: 7, mode })
  const { standIn, sweep, repo, clock, ports } = server
  const random = randomBy(seed)
  const chance = (percent: number) => random(100) < percent
  const oneOf = <T>(all: readonly T[]) => present(all[random(all.length)])

  Object.assign(standIn.behaviour, {
    charge: () => oneOf(['pay_offline', 'pay_offline', 'success', 'failed', 'send_otp']),
    transfer: () => oneOf(['pending', 'pending', 'success', 'failed']),
    refund: () => oneOf(['pending', 'processed', 'failed']),
    otp: () => oneOf(['pay_offline', 'success', 'failed']),
    moved: (kind: string, status: string) => {
      const [isDone, isStuck] = [['success', 'processed'].includes(status), chance(40)]
      if (kind === 'transfer' && status === 'success' && chance(10)) return 'reversed'
      if (isDone || isStuck || ['failed', 'reversed'].includes(status)) return status
      if (chance(25)) return kind === 'charge' && chance(50) ? 'abandoned' : 'failed'
      return kind === 'refund' ? 'processed' : 'success'
    },
    fault: () => (chance(15) ? oneOf(['before', 'during', 'after'] as const) : undefined),
  })

  /** A call that may be refused: another step came first. */
  const tried = (op: Parameters<typeof server.said>[0], by: Person, id: string, body?: object) =>
    server.said(op, by, id, body)
  const status = (by: Person, id: string, to: string, more: object = {}) =>
    tried('changeStatus', by, id, { status: to, ...more })
  const stored = async (id: string) => present(await repo.read((s) => s.deliveries.get(id)))
  let passing = Promise.resolve()
  /** Time stands still while the provider is asked: a payment is leased by the clock. */
  const pass = (time: number) => {
    passing = passing.then(async () => {
      clock.advance(time)
      await Promise.all([sweep(), sweep()])
    })
    return passing
  }
  const pause = async () => {
    if (mode === 'paystack') await pass(random(60) * 1_000)
  }

  /** Until it is held, or its sender gives up. */
  async function pay(sender: Person, id: string): Promise<boolean> {
    for (let tries = 0; tries < 8; tries++) {
      const { payment } = await stored(id)
      if (!payment || payment.status === 'held') return true
      if (payment.otp) await tried('payDelivery', sender, id, { otp: '123456' })
      else if (chance(30)) await tried('payDelivery', sender, id, { payer: anyPayer() })
      await pause()
    }
    return false
  }
  const anyPayer = () => ({
    phone: `024${String(1_000_000 + random(8_999_999))}`,
    network: oneOf(['mtn', 'vod', 'atl'] as const),
  })

  async function decide(sender: Person, admin: Person, id: string, offer: number) {
    if ((await tried('createDispute', sender, '', dispute(id))) !== 201) return
    await pause()
    const [open] = await repo.read(({ disputes }) => disputes.ofDelivery(id))
    const decision = oneOf(decisions)
    await tried('resolveDispute', admin, present(open).ID, {
      status: 'resolved',
      resolution: 'Heard both',
      decision,
      ...(decision === 'split' ? { driverShare: random(offer * 100) / 100 } : {}),
    })
  }
  const dispute = (deliveryId: string) => ({
    deliveryId,
    issue: 'Broken',
    type: 'sender_issue',
    priority: 'medium',
  })

  /** All of the driver's part, or an amount that may be too much; once or twice (R228). */
  async function refund(admin: Person, id: string, offer: number) {
    for (let tries = random(3); tries > 0; tries--) {
      if (chance(50)) await pause()
      const amount = chance(50) ? { amount: (1 + random(offer * 100)) / 100 } : {}
      await tried('refundDelivery', admin, id, { reason: 'It never arrived', ...amount })
    }
  }

  async function live(sender: Person, driver: Person, admin: Person) {
    const offer = 1 + random(200) / 2
    const { ID: id, deliveryCode: code } = await server.delivery(sender, {
      offer,
      payer: anyPayer(),
    })
    if (chance(10)) return status(sender, id, 'Cancelled')
    if (!(await pay(sender, id))) return status(sender, id, 'Cancelled')
    if (chance(20)) await tried('raiseOffer', sender, id, { offer: offer + 1 + random(5) })
    await pause()
    if (chance(10)) return status(sender, id, 'Cancelled')
    expect(await tried('acceptDelivery', driver, id)).toBe(200)
    if (chance(10)) {
      await status(sender, id, 'Cancelled')
      return chance(50) ? tried('acknowledgeCancel', driver, id) : undefined
    }
    await status(driver, id, 'Picked Up')
    if (chance(10)) return status(admin, id, 'Cancelled')
    if (chance(15)) {
      await server.bringBack(id, driver)
      return tried('confirmReturn', sender, id)
    }
    if (chance(10)) await decide(sender, admin, id, offer)
    if ((await stored(id)).status !== 'Picked Up') return undefined
    await tried('completeDelivery', driver, id, { code })
    if (chance(10)) await decide(sender, admin, id, offer)
    if (chance(15)) return pass(49 * hour)
    await status(sender, id, 'Approved', chance(30) ? { tip: 1 } : {})
    return refund(admin, id, offer)
  }

  /** Everything goes well from here on: what waits is ended, and what failed is sent again. */
  async function comeToRest(admin: Person) {
    Object.assign(standIn.behaviour, {
      charge: () => 'success',
      transfer: () => 'success',
      refund: () => 'processed',
      otp: () => 'success',
      moved: (kind: string, state: string) =>
        ['failed', 'reversed'].includes(state)
          ? state
          : kind === 'refund'
            ? 'processed'
            : 'success',
      fault: () => undefined,
    })
    for (let rounds = 0; rounds < 12; rounds++) {
      clock.advance(49 * hour)
      await settleDueDeliveries(ports)
      await sweep()
      for (const { id, status: to } of await openDeliveries()) {
        const disputes = await repo.read((stores) => stores.disputes.ofDelivery(id))
        for (const { ID } of disputes.filter((each) => each.status === 'open')) {
          const body = { status: 'resolved', resolution: 'Over', decision: 'refund' }
          await tried('resolveDispute', admin, ID, body)
        }
        if (to === 'Pending' || to === 'Accepted') await status(admin, id, 'Cancelled')
      }
      await retryPayouts()
    }
  }
  const openDeliveries = async () =>
    (await query("select id, status from deliveries where status <> 'Approved'")) as {
      id: string
      status: string
    }[]
  const retryPayouts = () =>
    query(`update payments set status = 'waiting', due_at = now()
      where kind = 'payout' and status in ('failed', 'reversed')`)
  const query = async (sql: string) => (await server.pool().query(sql)).rows as object[]

  test(
    `R177, R228: ${count} random deliveries lose no pesewa and pay nobody twice (${mode}, seed ${seed})`,
    async () => {
      const admin = await server.admin()
      const pairs = await Promise.all(
        Array.from({ length: lanes }, async () => {
          const [sender, driver] = [await server.sender(), await server.driver()]
          return { sender, driver: chance(80) ? await server.payable(driver) : driver }
        }),
      )
      let left = count
      await Promise.all(
        pairs.map(async ({ sender, driver }) => {
          while (left-- > 0) {
            await live(sender, driver, admin)
            await endOf(sender, driver, admin)
          }
        }),
      )
      for (const { driver } of pairs) await server.payable(driver)
      await comeToRest(admin)
      await everythingAgrees()
    },
    20 * 60_000,
  )

  /** So that both may begin anew. */
  async function endOf(sender: Person, driver: Person, admin: Person) {
    const { value } = await server.ask('senderActiveDeliveries', { token: sender.token })
    for (const { ID, status: to } of present(value).deliveries as Delivery[]) {
      if (to === 'Delivered') {
        const disputes = await repo.read((stores) => stores.disputes.ofDelivery(ID))
        for (const each of disputes.filter((one) => one.status === 'open'))
          await tried('resolveDispute', admin, each.ID, {
            status: 'resolved',
            resolution: 'Over',
            decision: 'release',
          })
        await status(sender, ID, 'Approved')
      } else await status(admin, ID, 'Cancelled')
      await tried('acknowledgeCancel', driver, ID)
    }
  }

  async function everythingAgrees() {
    const client = await server.pool().connect()
    try {
      expect((await verifyLedger(client)).faults).toEqual([])
    } finally {
      client.release()
    }
    const [ledger] = await query(`select
      coalesce(sum(pesewas) filter (where account ~ '^(escrow|promised):'), 0)::int as held,
      coalesce(sum(pesewas) filter (where account ~ '^owed:'), 0)::int as owed,
      coalesce(sum(pesewas) filter (where account ~ '^driver:'), 0)::int as paid,
      coalesce(sum(pesewas) filter (where account = 'fees'), 0)::int as fees,
      coalesce(-sum(pesewas) filter (where account ~ '^sender:'), 0)::int as kept
      from entries`)
    const { held, owed, paid, fees, kept } = ledger as Record<string, number>
    expect(held).toBe(0)
    expect(Number(paid) + Number(owed) + Number(fees)).toBe(kept)
    // What Admin → Money shows (R184).
    const totals = await repo.read((stores) => stores.ledger.totals())
    const { refunded } = totals
    const cameIn = Number(kept) + refunded
    expect(totals).toEqual({ cameIn, held, owed, paidOut: paid, refunded, fees })
    if (mode === 'direct') return
    const { in: received, back } = standIn.balance()
    expect([cameIn, refunded]).toEqual([received, back])
    expect(owed).toBe(0)
    expect(await reconcile(ports)).toEqual([])
    expect(standIn.balance()).toEqual({
      in: Number(kept) + standIn.balance().back,
      out: paid,
      back: standIn.balance().back,
    })
    const open = await query(
      "select id, kind, status from payments where status not in ('paid', 'failed')",
    )
    expect(open).toEqual([])
    const unpaid = await query(
      "select id, kind, status from payments where status <> 'paid' and kind <> 'charge'",
    )
    expect(unpaid).toEqual([])
    const amounts = `select coalesce(sum(pesewas), 0)::int as sum from payments where status = 'paid' and kind`
    expect(await query(`${amounts} = 'charge'`)).toEqual([{ sum: standIn.balance().in }])
    expect(await query(`${amounts} = 'refund'`)).toEqual([{ sum: standIn.balance().back }])
    expect(await query(`${amounts} = 'payout'`)).toEqual([{ sum: standIn.balance().out }])
    const wrong = await query(`select id, status, payment, payout from deliveries
      where payment ->> 'status' in ('waiting', 'held') or payout ->> 'status' <> 'paid'`)
    expect(wrong).toEqual([])
  }
}

/** Whole numbers from 0 (mulberry32). */
function randomBy(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}
