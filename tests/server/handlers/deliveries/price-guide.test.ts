import { describe, expect, test } from 'vitest'
import { createPriceGuides } from '#server/rules/deliveries/price-guides.ts'
import { saveDelivery } from '#server/rules/deliveries/save-delivery.ts'
import { untilHeard } from '../../../helpers/server/heard-events.ts'
import { type Person, present } from '../../../helpers/server/server.ts'
import { overBothAdapters } from '../../both-adapters.ts'

/* What a way usually costs, and who goes it. */

const day = 24 * 3_600_000

overBothAdapters((server) => {
  const guide = async (from: string, to: string, by?: Pick<Person, 'token'>) =>
    // A client reads `null` as missing.
    present((await server().ask('priceGuide', { token: by?.token, query: { from, to } })).value)

  /** Deliveries of one sender with these offers, each Approved or in another status. */
  async function offered(
    prices: number[],
    { from, to, by, status = 'Approved' }: Way & { by?: Person; status?: 'Approved' | 'Cancelled' },
  ) {
    const ama = by ?? (await server().sender())
    for (const offer of prices)
      await approve(
        (await server().delivery(ama, { offer, pickupZone: from, dropoffZone: to })).ID,
        status,
      )
    return ama
  }

  const approve = (id: string, status: 'Approved' | 'Cancelled' = 'Approved') =>
    server().repo.transaction(async (stores) => {
      const before = present(await stores.deliveries.lock(id))
      const driver = { id: driverId, name: 'Yaw', phone: '0240000000' }
      await saveDelivery(stores, server().ports.secrets, before, { ...before, status, driver })
    })

  type Way = { from: string; to: string }
  let driverId = ''

  describe('R168: the guide of a way', () => {
    test('is null where there is none', async () => {
      const answer = await server().raw('GET', '/price-guide?from=Tesano&to=Kaneshie')
      expect(await answer.json()).toEqual({ guide: null })
    })

    test('is of others’ approved offers of 60 days, from five of three senders on', async () => {
      driverId = (await server().driver()).user.ID
      const way = { from: 'Osu', to: 'Tema' }
      const ama = await offered([20, 25], way)
      await offered([30, 100], way)
      await offered([1, 1], { ...way, status: 'Cancelled' })
      await offered([7, 7, 7], { from: 'Tema', to: 'Osu' })
      expect(await guide('Osu', 'Tema')).toEqual({})
      await offered([35], way)
      expect(await guide('Osu', 'Tema')).toEqual({
        guide: { median: 30, low: 25, high: 35, count: 5 },
      })
      // Without her own there are too few.
      expect(await guide('Osu', 'Tema', ama)).toEqual({})
      server().clock.advance(61 * day)
      expect(await guide('Osu', 'Tema')).toEqual({})
      server().clock.advance(-61 * day)
    })

    test('does not tell who says that a number is theirs what its owner offered', async () => {
      const way = { from: 'Tesano', to: 'Dansoman' }
      const ama = await offered([20, 25, 90], way)
      await offered([30, 100], way)
      await offered([35], way)
      const all = await guide('Tesano', 'Dansoman')
      expect(all.guide?.count).toBe(6)
      const says = { phone_number: ama.phone, email: 'stranger@example.com' }
      const stranger = await server().signUp('sender', says)
      expect(await guide('Tesano', 'Dansoman', stranger)).toEqual(all)
    })

    test('takes an account for one sender whatever numbers it had, also as a guest', async () => {
      const way = { from: 'Osu', to: 'Dansoman' }
      const ama = await server().sender()
      const { token } = ama
      for (let n = 0; n < 3; n++) {
        await offered([20, 30], { ...way, by: ama })
        const phone_number = server().newPhone()
        await server().ask('changePhone', { token, body: { phone_number } })
        const code = server().codeSentTo(phone_number)
        await server().ask('confirmPhone', { token, body: { phone_number, code } })
      }
      await offered([40], way)
      const [pickupZone, dropoffZone] = [way.from, way.to]
      const asGuest = { pickupZone, dropoffZone, senderPhone: ama.phone }
      await approve((await server().guestDelivery(asGuest)).delivery.ID)
      expect(await guide('Osu', 'Dansoman')).toEqual({})
      await offered([50], way)
      expect((await guide('Osu', 'Dansoman')).guide?.count).toBe(9)
    })

    test('reads all offers once in ten minutes, however many ask and whether they give a guide, and few drivers once an account has changed', async () => {
      let [reads, lists] = [0, 0]
      const job = { offer: 20, pickupZone: 'Far', dropoffZone: 'Farther', senderPhone: '024' }
      const guideFor = createPriceGuides(server().ports)
      const ask = () =>
        server().repo.read((stores) => {
          const approvedOffers: typeof stores.deliveries.approvedOffers = async (_, route) => {
            if (!route) reads++
            return route ? [] : Array.from({ length: 30 }, () => job)
          }
          const commutes: typeof stores.users.commutes = async () => {
            lists++
            return []
          }
          const { deliveries, users } = stores
          const counting = {
            ...stores,
            deliveries: { ...deliveries, approvedOffers },
            users: { ...users, commutes },
          }
          return guideFor(counting, { from: 'Osu', to: 'Tema' }, undefined)
        })
      await Promise.all([ask(), ask(), ask()])
      await ask()
      expect([reads, lists]).toEqual([1, 1])
      await server().sender()
      await untilHeard(server().repo)
      await ask()
      expect([reads, lists]).toEqual([1, 2])
      server().clock.advance(10 * 60_000)
      await ask()
      expect(reads).toBe(2)
    })

    test('follows from the kilometres of thirty jobs where the way has too few', async () => {
      for (let n = 0; n < 3; n++) await offered([40, 40, 40, 40], { from: 'Madina', to: 'Circle' })
      for (let n = 0; n < 3; n++) await offered([60, 60, 60, 60], { from: 'Adenta', to: 'Osu' })
      const { guide: found } = await guide('Adenta', 'Madina')
      expect(present(found).count).toBeGreaterThanOrEqual(30)
      expect(present(found).low).toBeLessThanOrEqual(present(found).median)
      expect((await guide('Madina', 'Circle')).guide?.count).toBe(12)
    })

    test('is refused without two zones of the list', async () => {
      const said = async (query: string) => {
        const answer = await server().raw('GET', `/price-guide${query}`)
        return `${answer.status} ${(await answer.json()).reason}`
      }
      expect(await said('?from=Osu&to=Osu')).toBe('400 same-zones')
      expect(await said('?from=Osu&to=Atlantis')).toBe('400 unknown-zone')
      expect(await said('?from=Osu')).toBe('400 invalid')
    })
  })

  test('R170: counts drivers whose commute the way lies on, and not the reader', async () => {
    const commute = { from: 'Adenta', to: 'Osu', days: [1, 2, 3], leaves: '07:00', notify: false }
    const drivers: Person[] = []
    for (let n = 0; n < 3; n++) {
      const driver = await server().driver()
      await server().ask('changeCommutes', { token: driver.token, body: { commutes: [commute] } })
      drivers.push(driver)
    }
    // At once, where few drive: the accounts have changed.
    await untilHeard(server().repo)
    expect((await guide('Madina', 'Osu')).drivers).toEqual({ morning: 3, evening: 0 })
    expect((await guide('Madina', 'Osu', drivers[0])).drivers).toBeUndefined()
  })
})
