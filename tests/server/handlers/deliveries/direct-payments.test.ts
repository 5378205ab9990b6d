import { describe, expect, test } from 'vitest'
import { settleDueDeliveries } from '#server/rules/deliveries/due-deliveries.ts'
import { moneyFault } from '../../../helpers/server/money-fault.ts'
import { type Person, present } from '../../../helpers/server/server.ts'
import { overIndexedDb } from '../../both-adapters.ts'

const hour = 3_600_000

/* A sender who pays the driver themselves (R171). The fixture's offer is ₵60.50. */

overIndexedDb((server) => {
  /** Handed over, and approved in this way. */
  async function approved(body?: { paidBy?: 'momo' | 'cash'; tip?: number }) {
    const [ama, yaw] = [await server().sender(), await server().driver()]
    const made = await server().delivery(ama)
    await server().drive(made, yaw, 'Delivered')
    const id = made.ID
    if (body)
      await server().ask('changeStatus', {
        token: ama.token,
        id,
        body: { status: 'Approved', ...body },
      })
    else await afterwards(48)
    return { ama, yaw, id }
  }

  async function afterwards(hours: number) {
    server().clock.advance(hours * hour + 1000)
    await settleDueDeliveries(server().ports)
  }

  const read = async ({ token }: Person, id: string) =>
    present((await server().ask('getDelivery', { token, id })).value).delivery

  /** What is owed and was paid for a delivery, and its payouts. Its money is where it says. */
  const books = (id: string, { user }: Person) =>
    server().repo.read(async ({ deliveries, ledger, payments }) => {
      expect(moneyFault(present(await deliveries.get(id)), await ledger.of(id))).toBeUndefined()
      return {
        owed: await ledger.balance(`owed:${id}`),
        paid: await ledger.balance(`driver:${user.ID}`),
        payouts: (await payments.ofDelivery(id)).map(({ kind, status, pesewas, reference }) => ({
          [kind]: status,
          pesewas,
          reference,
        })),
      }
    })

  describe('R171, R172: an approval', () => {
    test.each(['momo', 'cash'] as const)('says that the driver was paid by %s', async (paidBy) => {
      const { ama, yaw, id } = await approved({ paidBy, tip: 5 })
      expect(await read(yaw, id)).toMatchObject({ paidBy, payout: { status: 'paid' } })
      const seen = await read(ama, id)
      expect(seen).toMatchObject({ status: 'Approved', paidBy })
      expect(seen).not.toHaveProperty('payout')
      const payouts = [{ payout: 'paid', pesewas: 6550, reference: paidBy }]
      expect(await books(id, yaw)).toEqual({ owed: 0, paid: 6550, payouts })
    })

    test('that is automatic leaves the money owed', async () => {
      const { yaw, id } = await approved()
      expect(await read(yaw, id)).toMatchObject({ payout: { status: 'waiting' } })
      const payouts = [{ payout: 'waiting', pesewas: 6050, reference: undefined }]
      expect(await books(id, yaw)).toEqual({ owed: 6050, paid: 0, payouts })
      expect(await server().said('reportUnpaid', yaw, id)).toBe('409 wrong-status')
    })

    test('does not go with another status', async () => {
      const [ama, yaw] = [await server().sender(), await server().driver()]
      const made = await server().delivery(ama)
      await server().drive(made, yaw, 'Accepted')
      const body = { status: 'Cancelled', paidBy: 'cash' }
      expect(await server().said('changeStatus', ama, made.ID, body)).toBe('400 invalid')
    })
  })

  describe('R171: money that was not received', () => {
    test('is owed again, and support hears of it, once', async () => {
      const { ama, yaw, id } = await approved({ paidBy: 'cash' })
      expect(await server().said('reportUnpaid', ama, id)).toMatch(/^40[34] /)
      const { value } = await server().ask('reportUnpaid', { token: yaw.token, id })
      expect(value?.delivery).toMatchObject({ payout: { status: 'waiting' }, disputed: true })
      expect(value?.dispute).toMatchObject({ type: 'driver_issue', status: 'open' })
      expect(value?.dispute.issue).toContain('in cash')
      const payouts = [{ payout: 'waiting', pesewas: 6050, reference: undefined }]
      expect(await books(id, yaw)).toEqual({ owed: 6050, paid: 0, payouts })
      expect(await server().said('reportUnpaid', yaw, id)).toBe('409 wrong-status')
    })

    test('can be reported for 24 hours', async () => {
      const { yaw, id } = await approved({ paidBy: 'momo' })
      server().clock.advance(24 * hour + 1000)
      expect(await server().said('reportUnpaid', yaw, id)).toBe('409 wrong-status')
    })
  })
})
