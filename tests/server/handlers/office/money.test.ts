import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { referenceOf } from '#domain/deliveries/reference.ts'
import type { Payout } from '#domain/payment-fields.ts'
import { settleDueDeliveries } from '#server/rules/deliveries/due-deliveries.ts'
import { readDifferences, writeDifferences } from '#server/rules/money/differences.ts'
import { type Person, present } from '../../../helpers/server/server.ts'
import { overBothAdapters } from '../../both-adapters.ts'

overBothAdapters((server) => {
  let admin: Person
  beforeAll(async () => {
    admin = await server().admin()
  })

  const refused = (reason: string, message?: string) =>
    expect.objectContaining({ reason, ...(message ? { message } : {}) })
  const money = async (query: { from?: string; to?: string } = {}) =>
    present((await server().ask('adminMoney', { token: admin.token, query })).value)
  const payouts = async (query: Record<string, string> = {}) =>
    present((await server().ask('adminPayouts', { token: admin.token, query })).value)
  const settle = async (id: string, body: object, by = admin): Promise<Payout> => {
    const response = await server().ask('settlePayout', {
      token: by.token,
      id,
      body: body as { status: 'paid'; reference: string },
    })
    return present(response.value).payout
  }
  const paid = { status: 'paid', reference: 'MP 240.1' }

  /** A delivery that was approved by itself: nobody says that its driver was paid. */
  async function unpaid(sender?: Person, offer = 40) {
    const [by, yaw] = [sender ?? (await server().sender()), await server().driver()]
    const made = await server().delivery(by, { offer })
    await server().drive(made, yaw, 'Delivered')
    const clock = () => server().clock.now() + 49 * 3_600_000
    await settleDueDeliveries({ ...server().ports, clock })
    const { payouts: all } = await payouts({ sort: '-createdAt' })
    return { made, yaw, by, payout: present(all.find((each) => each.DeliveryID === made.ID)) }
  }
  const stored = async (id: string) =>
    server().repo.read(async ({ deliveries, ledger, payments }) => ({
      delivery: present(await deliveries.get(id)),
      owed: await ledger.balance(`owed:${id}`),
      transfers: (await ledger.of(id)).map(({ kind }) => kind),
      payments: await payments.ofDelivery(id),
    }))

  describe('payouts', () => {
    test('R183: an admin marks a payout as paid, once, and the ledger and the delivery say so', async () => {
      const { made, yaw, payout } = await unpaid()
      expect(payout).toMatchObject({
        driver: { id: yaw.user.ID, name: yaw.user.name },
        amount: 40,
        status: 'waiting',
        createdAt: expect.any(String),
      })
      expect((await stored(made.ID)).owed).toBe(4_000)
      const before = await money()
      expect(await settle(payout.ID, { ...paid, amount: 40 })).toEqual({ ...payout, ...paid })
      const after = await stored(made.ID)
      expect(after.owed).toBe(0)
      expect(after.transfers.filter((kind) => kind === 'payout')).toHaveLength(1)
      expect(after.delivery.payout).toEqual({ status: 'paid' })
      expect(after.payments).toMatchObject([paid])
      const { money: now } = await money()
      expect([now.owed, now.paidOut]).toEqual([before.money.owed - 40, before.money.paidOut + 40])
      for (const body of [paid, { retry: true }])
        await expect(settle(payout.ID, body)).rejects.toEqual(
          refused('wrong-status', 'This payout is already paid.'),
        )
      const { value } = await server().ask('getDelivery', { token: yaw.token, id: made.ID })
      expect(value?.delivery.payout).toEqual({ status: 'paid' })
    })

    test('R183: another amount, no reference, both or neither are refused, and nothing moves', async () => {
      const { made, payout } = await unpaid()
      await expect(settle(payout.ID, { ...paid, amount: 39.99 })).rejects.toEqual(
        refused('invalid', 'This payout is GH₵ 40.00.'),
      )
      for (const body of [
        { status: 'paid' },
        { status: 'paid', reference: '  ' },
        { status: 'paid', reference: 'x'.repeat(101) },
        { ...paid, retry: true },
        { status: 'failed', reference: 'x' },
        { retry: false },
        {},
      ])
        await expect(settle(payout.ID, body)).rejects.toEqual(refused('invalid'))
      await expect(settle(v7(), paid)).rejects.toEqual(refused('not-found'))
      expect((await stored(made.ID)).payments).toMatchObject([{ status: 'waiting' }])
    })

    test('R183: what people pay is not sent again; what a provider failed to pay is, or is marked as paid', async () => {
      const { made, payout } = await unpaid()
      await expect(settle(payout.ID, { retry: true })).rejects.toEqual(refused('wrong-status'))
      const to = (over: object) =>
        server().repo.transaction(async ({ payments }) => {
          const row = present(await payments.lock(payout.ID))
          await payments.save({ ...row, ...over })
        })
      const dueAt = new Date(server().clock.now()).toISOString()
      for (const under of [{ status: 'sent' }, { status: 'waiting', dueAt }]) {
        await to(under)
        for (const body of [{ retry: true }, paid])
          await expect(settle(payout.ID, body)).rejects.toEqual(refused('wrong-status'))
      }
      for (const status of ['failed', 'reversed']) {
        await to({ status, dueAt: undefined, message: 'Check your number', reference: 'TRF_1' })
        const again = await settle(payout.ID, { retry: true })
        expect(again).toMatchObject({
          status: 'waiting',
          sendsAt: expect.any(String),
          reference: 'TRF_1',
        })
        expect(again.message).toBeUndefined()
        expect((await stored(made.ID)).delivery.payout).toEqual({ status: 'waiting' })
      }
      await to({ status: 'failed', dueAt: undefined })
      expect(await settle(payout.ID, paid)).toMatchObject(paid)
      expect((await stored(made.ID)).owed).toBe(0)
    })

    test('R132, R183: an admin leaves the payout of their own delivery to another', async () => {
      const { payout } = await unpaid(admin)
      await expect(settle(payout.ID, paid)).rejects.toEqual(refused('not-allowed'))
    })

    test('R183: two admins at once pay a payout once', async () => {
      const { made, payout } = await unpaid()
      const both = await Promise.allSettled([settle(payout.ID, paid), settle(payout.ID, paid)])
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const { transfers } = await stored(made.ID)
      expect(transfers.filter((kind) => kind === 'payout')).toHaveLength(1)
    })

    test('R183: the list has the oldest first, by status, page by page, and finds drivers and references', async () => {
      const [first, second] = [await unpaid(), await unpaid()]
      await settle(second.payout.ID, { ...paid, reference: 'MP 777' })
      const ids = async (query: Record<string, string>) =>
        (await payouts(query)).payouts.map(({ ID }) => ID)
      const all = (await payouts()).payouts
      expect(all.map(({ createdAt }) => createdAt)).toEqual(
        all.map(({ createdAt }) => createdAt).sort(),
      )
      expect(await ids({ status: 'waiting' })).toContain(first.payout.ID)
      expect(await ids({ status: 'waiting' })).not.toContain(second.payout.ID)
      expect((await ids({ status: 'paid, waiting' })).length).toBe(
        all.filter(({ status }) => status === 'paid' || status === 'waiting').length,
      )
      expect(await ids({ search: 'MP 777' })).toEqual([second.payout.ID])
      expect(await ids({ search: first.yaw.email })).toEqual([first.payout.ID])
      expect(await ids({ search: referenceOf(first.made.ID) })).toEqual([first.payout.ID])
      const page = await payouts({ limit: '1' })
      expect(page.total).toBe(all.length)
      const next = await payouts({ limit: '1', after: present(page.next) })
      expect([...page.payouts, ...next.payouts]).toEqual(all.slice(0, 2))
      const wrong: Record<string, string>[] = [
        { status: 'lost' },
        { sort: 'amount' },
        { after: 'x' },
      ]
      for (const query of wrong) await expect(payouts(query)).rejects.toEqual(refused('invalid'))
    })
  })

  test('R184: the figures are all that came in, and each day says what moved on it', async () => {
    const today = new Date(server().clock.now()).toISOString().slice(0, 10)
    const of = async () => present((await money({ from: today, to: today })).days?.[0])
    const [before, day] = [await money(), await of()]
    const [ama, yaw] = [await server().sender(), await server().driver()]
    const kept = await server().delivery(ama, { offer: 12.5 })
    await server().drive(kept, yaw, 'Delivered')
    await server().ask('changeStatus', {
      token: ama.token,
      id: kept.ID,
      body: { status: 'Approved', tip: 2.5 },
    })
    const { ID } = await server().delivery(ama, { offer: 30 })
    await server().changeStatus(ama, ID, 'Cancelled')
    await server().delivery(await server().sender(), { offer: 7 })
    const { money: now, cameIn } = await money()
    expect(now.held).toBeCloseTo(before.money.held + 7)
    expect(now.paidOut).toBeCloseTo(before.money.paidOut + 15)
    expect(now.refunded).toBeCloseTo(before.money.refunded + 30)
    const { held, owed, paidOut, refunded, fees } = now
    expect(held + owed + paidOut + refunded + fees).toBeCloseTo(present(cameIn))
    expect(cameIn).toBeCloseTo(present(before.cameIn) + 52)
    const then = await of()
    expect(then.held).toBeCloseTo(day.held + 52)
    expect(then.paidOut).toBeCloseTo(day.paidOut + 15)
    expect(then.refunded).toBeCloseTo(day.refunded + 30)
    expect((await money({ from: '2026-02-27', to: '2026-03-02' })).days).toEqual(
      ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'].map((each) => ({
        day: each,
        ...{ held: 0, paidOut: 0, refunded: 0, fees: 0 },
      })),
    )
    for (const query of [
      { from: today },
      { from: '2026-03-02', to: '2026-03-01' },
      { from: '2024-01-01', to: '2026-01-01' },
      { from: 'x', to: 'y' },
    ])
      await expect(money(query)).rejects.toEqual(refused('invalid'))
  })

  test('R184: the figures show what the last reconciliation found', async () => {
    const found = ['Transfer X of ₵40 is unknown to the provider.']
    await server().repo.transaction((stores) => writeDifferences(stores, ['Earlier']))
    await server().repo.transaction((stores) => writeDifferences(stores, found))
    expect((await money()).money.differences).toEqual(found)
    await server().repo.transaction((stores) => writeDifferences(stores, []))
    expect(await server().repo.read(readDifferences)).toEqual([])
    expect((await money()).money.differences).toEqual([])
  })
})
