import { expect, test } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { dayAfter } from '#domain/payouts/earnings.ts'
import { settleDueDeliveries } from '#server/rules/deliveries/due-deliveries.ts'
import { type Person, present, testOptions } from '../../../helpers/server/server.ts'
import { overBothAdapters } from '../../both-adapters.ts'

const options = { ...testOptions, payments: { mode: 'direct' as const, feePercent: 7.5 } }
/** Whole numbers from 0, always the same ones. */
function numbersFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

const pesewas = (cedis: number) => Math.round(cedis * 100)

overBothAdapters(
  (server) => {
    const today = () => new Date(server().clock.now()).toISOString().slice(0, 10)
    const hour = 3_600_000
    /** No test runs into the next day. */
    const goToNoon = () => server().clock.advance(36 * hour - (server().clock.now() % (24 * hour)))
    async function earnings({ token }: Person, from: string, to: string) {
      const answer = await server().raw('GET', `/driver/earnings?from=${from}&to=${to}`, { token })
      return (await answer.json()).earnings
    }

    test('R182: a day that is none, an inverted range and more than 366 days are 400', async () => {
      const { token } = await server().driver()
      const status = async (query: string) =>
        (await server().raw('GET', `/driver/earnings?${query}`, { token })).status
      expect(await status('from=2026-01-01&to=2027-01-01')).toBe(200)
      expect(await status('from=2026-11-21&to=2026-11-21')).toBe(200)
      for (const query of [
        '',
        'from=2026-11-01',
        'to=2026-11-01',
        'from=2026-11-31&to=2026-12-01',
        'from=1&to=2',
        'from=9999-12-31&to=9999-12-31',
        'from=2026-11-02&to=2026-11-01',
        'from=2026-01-01&to=2027-01-02',
      ])
        expect([query, await status(query)]).toEqual([query, 400])
    })

    test('R182: a job belongs to the day it was delivered, whenever it is approved', async () => {
      goToNoon()
      const [ama, yaw] = [await server().sender(), await server().driver()]
      const made = await server().delivery(ama, { offer: 40 })
      await server().drive(made, yaw, 'Delivered')
      const day = today()
      const fresh = await earnings(yaw, day, day)
      const before = { offers: 40, tips: 0, fees: 3, net: 37, waiting: 37, onItsWay: 0, paid: 0 }
      expect(fresh).toEqual({ ...before, failed: 0, days: [{ day, net: 37, jobs: 1 }] })
      server().clock.advance(24 * hour)
      const body = { status: 'Approved' as const, tip: 5, paidBy: 'cash' as const }
      await server().ask('changeStatus', { token: ama.token, id: made.ID, body })
      const after = { offers: 40, tips: 5, fees: 3, net: 42, waiting: 0, onItsWay: 0, paid: 42 }
      expect(await earnings(yaw, day, today())).toEqual({
        ...after,
        failed: 0,
        days: [
          { day, net: 42, jobs: 1 },
          { day: today(), net: 0, jobs: 0 },
        ],
      })
      expect((await earnings(yaw, today(), today())).net).toBe(0)
    })

    test('R172, R182: of random deliveries the sums are those of the ledger', async () => {
      goToNoon()
      const random = numbersFrom(38)
      const drivers = [await server().driver(), await server().driver()]
      const first = today()
      const made: { id: string; driver: Person }[] = []
      for (let n = 0; n < 28; n++) {
        const driver = present(drivers[n % 2])
        const sender = await server().sender()
        const delivery = await server().delivery(sender, { offer: 2 + random(9_000) / 100 })
        made.push({ id: delivery.ID, driver })
        await end(n % 7, delivery, sender, driver)
        server().clock.advance(random(20) * hour)
      }
      const { repo } = server()
      for (const driver of drivers) {
        const sums = await earnings(driver, first, today())
        const own = made.filter((each) => each.driver === driver)
        const book = await repo.read(async ({ deliveries, ledger }) => {
          let [owed, fees, unapproved, unapprovedFees] = [0, 0, 0, 0]
          for (const { id } of own) {
            const { status, driver: by, offer } = present(await deliveries.get(id))
            owed += await ledger.balance(`owed:${id}`)
            for (const { kind, entries } of await ledger.of(id))
              if (kind === 'fee')
                fees += entries.reduce((sum, each) => sum + Math.max(0, each.pesewas), 0)
            if (status !== 'Delivered' || by?.id !== driver.user.ID) continue
            const fee = Math.floor(pesewas(offer) * 0.075 + 1e-9)
            unapproved += pesewas(offer) - fee
            unapprovedFees += fee
          }
          const paid = await ledger.balance(`driver:${driver.user.ID}`)
          return { owed, fees, unapproved, unapprovedFees, paid }
        })
        const { offers, tips, fees, net, waiting, onItsWay, paid, failed } = sums
        expect(pesewas(net)).toBe(book.owed + book.paid + book.unapproved)
        expect(pesewas(paid)).toBe(book.paid)
        expect(pesewas(waiting + onItsWay + failed)).toBe(book.owed + book.unapproved)
        expect(pesewas(fees)).toBe(book.fees + book.unapprovedFees)
        expect(pesewas(offers + tips - fees)).toBe(pesewas(net))
        expect([waiting, paid, tips].map((each) => each > 0)).toEqual([true, true, true])
        expect(sums.days.map(({ day }: { day: string }) => day)).toEqual(
          [...Array(sums.days.length).keys()].map((n) => dayAfter(first, n)),
        )
        const ofDays = sums.days.reduce((sum: number, day: { net: number }) => sum + day.net, 0)
        expect(pesewas(ofDays)).toBe(pesewas(net))
      }

      async function end(way: number, delivery: Delivery, sender: Person, driver: Person) {
        const { ID: id } = delivery
        const approve = (body: object) =>
          server().raw('PATCH', `/deliveries/${id}/status`, {
            token: sender.token,
            body: { status: 'Approved', ...body },
          })
        if (way === 0) return server().changeStatus(sender, id, 'Cancelled')
        if (way === 1) {
          await server().drive(delivery, driver, 'Picked Up')
          await server().bringBack(id, driver)
          return server().ask('confirmReturn', { token: sender.token, id, body: {} })
        }
        await server().drive(delivery, driver, 'Delivered')
        if (way === 2) return
        if (way === 3) {
          const { ID } = await server().report(sender, id)
          const { token } = await server().admin()
          const body = {
            status: 'resolved',
            resolution: 'Half',
            decision: 'split',
            driverShare: 1.17,
          }
          return server().raw('PATCH', `/admin/disputes/${ID}`, { token, body })
        }
        if (way === 4)
          return settleDueDeliveries({
            ...server().ports,
            clock: () => server().clock.now() + 49 * hour,
          })
        await approve(way === 5 ? { paidBy: 'momo', tip: 1.35 } : {})
        if (random(2) === 0) await server().ask('reportUnpaid', { token: driver.token, id })
      }
    })
  },
  { options },
)
