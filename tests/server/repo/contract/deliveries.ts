import { v7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import type { Delivery, Status } from '#domain/deliveries/delivery.ts'
import type { Incident } from '#domain/deliveries/endings/incidents.ts'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { contactOf, type User } from '#domain/users/user.ts'
import type { ZoneChange } from '#domain/zones/zone.ts'
import type { DeliveryList } from '#server/ports/stores/delivery-stores.ts'
import type { RepoFixture } from './repo-fixture.ts'

/** The contract of the `Repo` port about deliveries. */
export function deliveryContract({ repo, refused, at, user, draft, add, by, save }: RepoFixture) {
  describe('deliveries', () => {
    test('are stored with every field, and each change advances the cursor', async () => {
      const ama = await user()
      const made = draft({ ...by(ama), itemDescription: 'Ɔ 📦', offer: 0.1 })
      const added = await repo.transaction(({ deliveries }) => deliveries.add(made))
      expect(added).toEqual({ ...made, version: 1 })
      const changed = { ...made, proofOfDelivery: 'http://x/q.jpg' }
      const saved = await save(changed)
      expect(saved).toEqual({ ...changed, version: 2, updatedAt: saved.updatedAt })
      // It increases, whatever the clock of the change.
      expect(Date.parse(saved.updatedAt)).toBeGreaterThan(Date.parse(made.updatedAt))
      expect(await repo.read(({ deliveries }) => deliveries.get(made.ID))).toEqual(saved)
      await expect(add({ ID: made.ID })).rejects.toEqual(refused('key-reused'))
      expect(await repo.transaction(({ deliveries }) => deliveries.lock(v7()))).toBeUndefined()
    })

    test('R30: one is active for each sender, until it is Approved or Cancelled', async () => {
      const [ama, yaw] = [await user(), await user({ role: 'driver' })]
      let made: Delivery = await add(by(ama))
      const another = () => add(by(ama))
      for (const status of ['Accepted', 'Picked Up', 'Delivered'] as const) {
        await expect(another()).rejects.toEqual(refused('active-delivery'))
        made = await save({ ...made, status, driver: contactOf(yaw) })
      }
      await expect(another()).rejects.toEqual(refused('active-delivery'))
      await save({ ...made, status: 'Approved' })
      const second = await another()
      await save({ ...second, status: 'Cancelled' })
      await another()
      // Guests have no such limit.
      await add()
      await add()
    })

    test('R29: one job is active for each driver, until it is Delivered', async () => {
      const yaw = await user({ role: 'driver' })
      const take = async (status: Status) =>
        save({ ...(await add()), status, driver: contactOf(yaw) })
      const job = await take('Accepted')
      await expect(take('Accepted')).rejects.toEqual(refused('active-job'))
      await save({ ...job, status: 'Picked Up' })
      await expect(take('Picked Up')).rejects.toEqual(refused('active-job'))
      await save({ ...job, status: 'Delivered' })
      await take('Accepted')
    })

    test('that are active are found for both parties', async () => {
      const [ama, yaw] = [await user(), await user({ role: 'driver' })]
      const done = await add(by(ama))
      await save({ ...done, status: 'Cancelled' })
      const made = await add(by(ama))
      await save({ ...made, status: 'Accepted', driver: contactOf(yaw) })
      for (const { ID } of [ama, yaw]) {
        const found = await repo.transaction(({ deliveries }) => deliveries.lockUnfinishedOf(ID))
        expect(found.map((each) => each.ID)).toEqual([made.ID])
      }
    })

    test('are listed for their sender, their driver, and drivers who look for jobs', async () => {
      const [ama, yaw] = [await user(), await user({ role: 'driver' })]
      const route = { pickupZone: 'Labone', dropoffZone: 'Legon Campus' }
      const made = await add({ ...by(ama), ...route })
      const guest = await add(route)
      const own = await add({ ...by(yaw), ...route })
      const ids = async (list: DeliveryList) => {
        const page = await repo.read(({ deliveries }) => deliveries.list(list, { limit: 100 }))
        return page.rows.map(({ ID }) => ID)
      }
      const statuses: Status[] = ['Pending']
      expect(await ids({ of: { forDriver: yaw.ID }, only: route, statuses })).toEqual([
        guest.ID,
        made.ID,
      ])
      expect(await ids({ of: { sender: ama.ID } })).toEqual([made.ID])
      expect(await ids({ of: { sender: yaw.ID }, statuses })).toEqual([own.ID])
      await save({ ...made, status: 'Accepted', driver: contactOf(yaw) })
      expect(await ids({ of: { driver: yaw.ID } })).toEqual([made.ID])
      expect(await ids({ of: { driver: yaw.ID }, statuses: ['Delivered'] })).toEqual([])
      expect(await ids({ of: { forDriver: yaw.ID }, only: route, statuses })).toEqual([guest.ID])
      expect(await ids({ of: 'everyone' })).toEqual(
        expect.arrayContaining([made.ID, guest.ID, own.ID]),
      )
    })

    test('R73: since a cursor: changed and removed rows; a cursor of another database is ignored', async () => {
      const ama = await user()
      const list = { of: { sender: ama.ID }, statuses: ['Pending', 'Accepted'] as Status[] }
      const read = (since?: string) =>
        repo.read(({ deliveries }) => deliveries.list(list, { limit: 100 }, since))
      const start = await read()
      expect(start).toMatchObject({ rows: [], cursor: expect.any(String) })
      expect(start.removed).toBeUndefined()
      const made = await add(by(ama))
      const came = await read(start.cursor)
      expect(came).toMatchObject({ rows: [{ ID: made.ID, version: 1 }], removed: [] })
      expect(await read(came.cursor)).toMatchObject({ rows: [], removed: [] })
      await save({ ...made, status: 'Cancelled' })
      expect(await read(came.cursor)).toMatchObject({ rows: [], removed: [made.ID] })
      for (const since of ['garbage', '', '0000000000000000-1']) {
        const full = await read(since)
        expect(full.removed).toBeUndefined()
      }
    })

    test('R192: a job that went from driver to driver has left the list of each', async () => {
      const drivers = [
        await user({ role: 'driver' }),
        await user({ role: 'driver' }),
        await user({ role: 'driver' }),
      ]
      const listOf = ({ ID }: User, since?: string) =>
        repo.read((stores) => stores.deliveries.list({ of: { driver: ID } }, { limit: 9 }, since))
      let made = await add()
      const cursors: string[] = []
      const incidents: Incident[] = []
      for (const driver of drivers) {
        made = await save({
          ...made,
          status: 'Accepted',
          driver: contactOf(driver),
          incidents: [...incidents],
        })
        const { rows, cursor } = await listOf(driver)
        expect(rows).toMatchObject([{ ID: made.ID }])
        cursors.push(cursor)
        incidents.push({
          kind: 'release',
          reason: 'Flat tyre',
          driver: driver.ID,
          at: made.updatedAt,
        })
      }
      await save({ ...made, status: 'Pending', driver: undefined, incidents })
      for (const [index, driver] of drivers.entries())
        expect(await listOf(driver, cursors[index])).toMatchObject({ rows: [], removed: [made.ID] })
    })

    test('are paged by date or offer, each row once', async () => {
      const ama = await user()
      const made: Delivery[] = []
      for (let n = 0; n < 5; n++) {
        made.unshift(await add({ ...by(ama), status: 'Cancelled', offer: n % 2 ? 10 : 20 + n }))
      }
      const all = async (sort?: string) => {
        const ids: string[] = []
        let after: string | undefined
        do {
          const page = { limit: 2, sort, after }
          const found = await repo.read(({ deliveries }) =>
            deliveries.list({ of: { sender: ama.ID } }, page),
          )
          ids.push(...found.rows.map(({ ID }) => ID))
          after = found.next
        } while (after)
        return ids
      }
      const newest = made.map(({ ID }) => ID)
      expect(await all()).toEqual(newest)
      expect(await all('createdAt')).toEqual([...newest].reverse())
      const cheapest = (a: Delivery, b: Delivery) => a.offer - b.offer || (a.ID < b.ID ? -1 : 1)
      const byOffer = [...made].sort(cheapest).map(({ ID }) => ID)
      expect(await all('offer')).toEqual(byOffer)
      expect(await all('-offer')).toEqual([...byOffer].reverse())
      const of = { sender: ama.ID }
      const counts = await repo.read(({ deliveries }) => deliveries.countByStatus({ of }))
      expect(counts).toEqual({
        Cancelled: 5,
      })
    })

    test('R85: are narrowed by route and by day, and counted by status', async () => {
      const route = { pickupZone: v7(), dropoffZone: v7() }
      const at = (createdAt: string) => ({ ...route, createdAt, updatedAt: createdAt })
      const driver = contactOf(await user({ role: 'driver' }))
      const ended = { status: 'Approved', driver } as const
      const early = await add({ ...at('2026-02-01T00:00:00.000Z'), ...ended })
      const late = await add(at('2026-02-02T23:59:59.999Z'))
      const [from, before] = ['2026-02-02T00:00:00.000Z', '2026-02-03T00:00:00.000Z']
      const narrowed: [DeliveryList['only'], Delivery[]][] = [
        [route, [late, early]],
        [{ pickupZone: route.pickupZone }, [late, early]],
        [{ pickupZone: route.dropoffZone }, []],
        [{ ...route, createdFrom: from }, [late]],
        [{ ...route, createdBefore: from }, [early]],
        [{ ...route, createdFrom: from, createdBefore: before }, [late]],
        [{ ...route, createdFrom: before }, []],
      ]
      for (const [only, wanted] of narrowed) {
        const list = { of: 'everyone' as const, only }
        const found = await repo.read(({ deliveries }) => deliveries.list(list, { limit: 10 }))
        expect(found.rows.map(({ ID }) => ID)).toEqual(wanted.map(({ ID }) => ID))
        const counts = await repo.read(({ deliveries }) => deliveries.countByStatus(list))
        const sum = Object.values(counts).reduce((all, each) => all + each, 0)
        expect(sum, JSON.stringify(only)).toBe(wanted.length)
      }
      const list: DeliveryList = { of: 'everyone', only: route, statuses: ['Pending'] }
      const count = (search?: string) =>
        repo.read(({ deliveries }) => deliveries.listCounted(list, { limit: 10, search }))
      expect((await count()).counts).toEqual({ Pending: 1, Approved: 1 })
      expect((await count(early.ID)).counts).toEqual({ Approved: 1 })
    })

    test('are found by their texts; wildcards in a search are taken literally', async () => {
      const marked = await add({ itemDescription: 'One 100%_\\ sure' })
      const find = (search: string) =>
        repo.read(({ deliveries }) => deliveries.list({ of: 'everyone' }, { limit: 50, search }))
      expect((await find('100%_\\ SURE')).rows.map(({ ID }) => ID)).toEqual([marked.ID])
      expect((await find('1__%')).rows).toEqual([])
      expect((await find(marked.ID)).rows).toHaveLength(1)
      const named = (await find(referenceOf(marked.ID).toLowerCase())).rows.map(({ ID }) => ID)
      expect(named).toContain(marked.ID)
      expect(named.map(referenceOf)).toEqual(named.map(() => referenceOf(marked.ID)))
    })

    test('R109: of a guest are found by phone: under way, on offer, then lately ended ones; the open ones are counted', async () => {
      const senderPhone = '0240000123'
      const yaw = await user({ role: 'driver' })
      const [live, ended, offered, newest] = [
        await add({ senderPhone }),
        await add({ senderPhone }),
        await add({ senderPhone }),
        await add({ senderPhone }),
      ]
      await add({ ...by(await user()), senderPhone })
      await save({ ...live, status: 'Accepted', driver: contactOf(yaw) })
      const { updatedAt } = await save({ ...ended, status: 'Cancelled' })
      const found = (since: string) =>
        repo.read(async ({ deliveries }) =>
          (await deliveries.ofGuest(senderPhone, since)).map(({ ID }) => ID),
        )
      const open = [live.ID, newest.ID, offered.ID]
      expect(await found('2020-01-01T00:00:00.000Z')).toEqual([...open, ended.ID])
      expect(await found(updatedAt)).toEqual(open)
      expect(await repo.read(({ deliveries }) => deliveries.countOpenOfGuest(senderPhone))).toBe(3)
      expect(await repo.read(({ deliveries }) => deliveries.countOpenOfGuest('0240000124'))).toBe(0)
    })

    test('R137: a rating that counts is found by its pair and direction, a guest’s that does not by their number', async () => {
      const [ama, yaw] = [await user(), await user({ role: 'driver' })]
      const senderPhone = '0240000137'
      const rated = async (over: Partial<Delivery>, ratings: Delivery['ratings']) =>
        save({ ...(await add(over)), status: 'Approved', driver: contactOf(yaw), ratings })
      const stars = { stars: 4, at: '2026-11-20T10:00:00.000Z' }
      const has = (side: 'sender' | 'driver', sender: { id?: string; phone: string }, day = 19) =>
        repo.read(({ deliveries }) =>
          deliveries.hasCountedRating(
            { side, driver: yaw.ID, sender },
            `2026-11-${day}T10:00:00.000Z`,
          ),
        )
      const uncounted = await rated({ senderPhone }, { sender: { ...stars, counted: false } })
      expect(await has('sender', { phone: senderPhone })).toBe(false)
      await rated({ ...by(ama), senderPhone: ama.phone_number }, { sender: stars })
      const known = { id: ama.ID, phone: ama.phone_number }
      expect(await has('sender', known)).toBe(true)
      expect(await has('sender', { phone: ama.phone_number })).toBe(true)
      expect(await has('sender', { ...known, phone: '0240000000' })).toBe(true)
      expect(await has('sender', known, 21)).toBe(false)
      expect(await has('driver', known)).toBe(false)
      const found = (phone: string) =>
        repo.read(async ({ deliveries }) =>
          (await deliveries.uncountedOfGuest(phone)).map(({ ID }) => ID),
        )
      expect(await found(senderPhone)).toEqual([uncounted.ID])
      expect(await found(ama.phone_number)).toEqual([])
    })

    test('of a guest are found by the hash of the guest’s token', async () => {
      const made = await add()
      await repo.transaction(({ guestTokens }) => guestTokens.add('guest-hash', made.ID))
      const find = (hash: string, endedBefore = made.updatedAt) =>
        repo.read(({ guestTokens }) => guestTokens.find(hash, endedBefore))
      expect(await find('guest-hash')).toBe(made.ID)
      expect(await find('other')).toBeUndefined()
    })

    test('R54: of a guest are no longer found by their tokens, which are deleted, some time after they ended', async () => {
      const [open, over] = [await add(), await add()]
      await repo.transaction(async ({ guestTokens }) => {
        await guestTokens.add('of an open one', open.ID)
        await guestTokens.add('of an ended one', over.ID)
      })
      const { updatedAt } = await save({ ...over, status: 'Cancelled' })
      const after = new Date(Date.parse(updatedAt) + 1).toISOString()
      const find = (hash: string, endedBefore: string) =>
        repo.read(({ guestTokens }) => guestTokens.find(hash, endedBefore))
      const sweep = (endedBefore: string) =>
        repo.transaction(({ guestTokens }) => guestTokens.sweep(endedBefore))
      await sweep(updatedAt)
      expect(await find('of an ended one', updatedAt)).toBe(over.ID)
      expect(await find('of an ended one', after)).toBeUndefined()
      await sweep(after)
      expect(await find('of an ended one', updatedAt)).toBeUndefined()
      expect(await find('of an open one', after)).toBe(open.ID)
    })
  })

  test.each(['zones', 'items'] as const)(
    'R86: %s keep their order and have each name once',
    async (which) => {
      const [one, two] = [v7(), v7()]
      await repo.transaction(async (stores) => {
        await stores[which].add({ ID: two, Name: 'Zeta' }, at())
        await stores[which].add({ ID: one, Name: 'Alpha' }, at())
      })
      const list = () => repo.read((stores) => stores[which].list())
      expect(await list()).toEqual([
        { ID: two, Name: 'Zeta' },
        { ID: one, Name: 'Alpha' },
      ])
      const again = (ID: string, Name: string) =>
        repo.transaction((stores) => stores[which].add({ ID, Name }, at()))
      await expect(again(v7(), ' zETA')).rejects.toEqual(refused('name-taken'))
      await expect(again(one, 'Beta')).rejects.toEqual(refused('key-reused'))
      expect(await repo.read((stores) => stores[which].has('Zeta'))).toBe(true)
      expect(await repo.transaction((stores) => stores[which].remove(two))).toBe(true)
      expect(await repo.transaction((stores) => stores[which].remove(two))).toBe(false)
      expect(await repo.read((stores) => stores[which].has('Zeta'))).toBe(false)
    },
  )

  test('R165: a road stands with both its zones, and goes with either', async () => {
    const [one, two, three] = [v7(), v7(), v7()]
    await repo.transaction(async ({ zones }) => {
      await zones.add({ ID: one, Name: 'One' }, at())
      await zones.add({ ID: two, Name: 'Two' }, at())
      await zones.add({ ID: three, Name: 'Three' }, at())
    })
    const change = (id: string, about: ZoneChange) =>
      repo.transaction(({ zones }) => zones.change(id, about))
    const roads = async () => {
      const all = await repo.read(({ zones }) => zones.list())
      return [one, two, three].map((id) => {
        const found = all.find(({ ID }) => ID === id)?.roads ?? []
        return found.map(({ to, km }) => `${to} ${km}`).sort()
      })
    }
    expect(await change(v7(), { lat: 5, lng: 0 })).toBe(false)
    expect(await change(two, { lat: 5.5, lng: -0.25, roads: [{ to: 'One', km: 2.5 }] })).toBe(true)
    // The zone with the greater ID and the one with the smaller give the same road.
    await change(one, {
      roads: [
        { to: 'Two', km: 3 },
        { to: 'Three', km: 4 },
      ],
    })
    expect(await roads()).toEqual([['Three 4', 'Two 3'], ['One 3'], ['One 4']])
    await change(one, { lat: 5.6, lng: -0.2 })
    expect(await roads()).toEqual([['Three 4', 'Two 3'], ['One 3'], ['One 4']])
    const found = await repo.read(({ zones }) => zones.list())
    expect(found.find(({ ID }) => ID === two)).toMatchObject({ lat: 5.5, lng: -0.25 })
    await repo.transaction(({ zones }) => zones.remove(three))
    expect(await roads()).toEqual([['Two 3'], ['One 3'], []])
    await change(two, { roads: [] })
    expect(await roads()).toEqual([[], [], []])
  })
}
