import { v7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { settleDueDeliveries } from '#server/rules/deliveries/due-deliveries.ts'
import { moneyFault } from '../../../helpers/server/money-fault.ts'
import { type Person, present } from '../../../helpers/server/server.ts'
import { overIndexedDb } from '../../both-adapters.ts'

/* A request whose sender offers more (R169). The fixture's offer is ₵60.50. */

overIndexedDb((server) => {
  const raise = (by: Pick<Person, 'token'>, id: string, offer: number, key?: string) =>
    server().ask('raiseOffer', { token: by.token, id, body: { offer }, key })
  const said = (by: Person, id: string, offer: number) =>
    server().said('raiseOffer', by, id, { offer })
  const promised = (id: string) =>
    server().repo.read(({ ledger }) => ledger.balance(`promised:${id}`))

  async function requested() {
    const ama = await server().sender()
    const made = await server().delivery(ama)
    return { ama, id: made.ID, made }
  }

  /** The stored delivery, whose money is where it says. */
  async function stored(id: string): Promise<Delivery> {
    const found = present(await server().repo.read(({ deliveries }) => deliveries.get(id)))
    const transfers = await server().repo.read(({ ledger }) => ledger.of(id))
    expect(moneyFault(found, transfers)).toBeUndefined()
    return found
  }

  describe('R169: a raised offer', () => {
    test('is held in full, by a sender and by a guest, however often it is raised', async () => {
      const { ama, id } = await requested()
      const raised = present((await raise(ama, id, 70)).value).delivery
      expect(raised).toMatchObject({ status: 'Pending', offer: 70 })
      expect(raised.history?.map(({ status, offer }) => [status, offer])).toEqual([
        ['Pending', undefined],
        ['Pending', 70],
      ])
      await raise(ama, id, 70.25)
      expect(await promised(id)).toBe(7025)
      const guest = await server().guestDelivery()
      const { value } = await server().ask('raiseOffer', {
        token: guest.token,
        id: guest.delivery.ID,
        body: { offer: 99.99, guestPhone: guest.phone },
      })
      expect(value?.delivery.offer).toBe(99.99)
      expect(await promised(guest.delivery.ID)).toBe(9999)
      await stored(guest.delivery.ID)
    })

    test.each(['Approved', 'Cancelled', 'cancelled under way'] as const)(
      'moves as a whole when the delivery is %s',
      async (end) => {
        const { ama, id, made } = await requested()
        await raise(ama, id, 80)
        const yaw = await server().driver()
        if (end === 'Approved') await server().drive(made, yaw, 'Delivered')
        if (end === 'cancelled under way') await server().drive(made, yaw, 'Accepted')
        const status = end === 'Approved' ? 'Approved' : 'Cancelled'
        await server().ask('changeStatus', { token: ama.token, id, body: { status } })
        const { ports, clock } = server()
        await settleDueDeliveries({ ...ports, clock: () => clock.now() + 25 * 3_600_000 })
        const ended = await stored(id)
        expect(ended.status).toBe(status)
        expect(await promised(id)).toBe(0)
        const driver = `driver:${ended.driver?.id}`
        const paid = await server().repo.read(({ ledger }) => ledger.balance(driver))
        expect(paid).toBe(end === 'Approved' ? 8000 : 0)
      },
    )

    test('is shared as a whole when the parcel comes back', async () => {
      const { ama, id, made } = await requested()
      await raise(ama, id, 81)
      const yaw = await server().driver()
      await server().drive(made, yaw, 'Picked Up')
      await server().ask('reportAttempt', { token: yaw.token, id, body: { reason: 'absent' } })
      server().clock.advance(10 * 60_000)
      await server().ask('startReturn', { token: yaw.token, id, body: {} })
      await server().ask('confirmReturn', { token: ama.token, id, body: {} })
      expect(await stored(id)).toMatchObject({ outcome: 'returned', driverShare: 40.5 })
    })

    test('goes only upwards, and never below the least offer', async () => {
      const { ama, id } = await requested()
      expect(await said(ama, id, 60.5)).toBe('400 invalid')
      expect(await said(ama, id, 60)).toBe('400 invalid')
      expect(await said(ama, id, 61.005)).toBe('400 invalid')
      expect(await said(ama, id, 100_001)).toBe('400 invalid')
      const before = await stored(id)
      expect(before).toMatchObject({ offer: 60.5 })
      // Made before MIN_OFFER was set to 1.
      await server().repo.transaction(async ({ deliveries }) => {
        const locked = present(await deliveries.lock(id))
        await deliveries.save(locked, { ...locked, offer: 0.5 })
      })
      expect(await said(ama, id, 0.75)).toBe('400 invalid')
      expect(await said(ama, id, 1)).toBe(200)
    })

    test('twenty times at most', async () => {
      const { ama, id } = await requested()
      for (let n = 1; n <= 20; n++) await raise(ama, id, 60.5 + n)
      expect(await said(ama, id, 90)).toBe('409 wrong-status')
      expect(await promised(id)).toBe(8050)
    })

    test('is posted once for one request key', async () => {
      const { ama, id } = await requested()
      const key = v7()
      await raise(ama, id, 70, key)
      expect((await raise(ama, id, 70, key)).value?.delivery.offer).toBe(70)
      expect(await promised(id)).toBe(7000)
    })

    test('comes too late once a driver has accepted: the price stands', async () => {
      const { ama, id, made } = await requested()
      const yaw = await server().driver()
      await server().drive(made, yaw, 'Accepted')
      expect(await said(ama, id, 70)).toBe('409 wrong-status')
      expect(await stored(id)).toMatchObject({ status: 'Accepted', offer: 60.5 })
    })

    test('of two phones at once, and of a driver who accepts meanwhile, keeps every pesewa', async () => {
      const { ama, id } = await requested()
      const yaw = await server().driver()
      await Promise.allSettled([
        raise(ama, id, 70),
        raise(ama, id, 75),
        server().ask('acceptDelivery', { token: yaw.token, id }),
        raise(ama, id, 72),
      ])
      const { status, offer } = await stored(id)
      expect(status).toBe('Accepted')
      expect(offer).toBeGreaterThanOrEqual(60.5)
      expect(await promised(id)).toBe(Math.round(offer * 100))
    })
  })
})
