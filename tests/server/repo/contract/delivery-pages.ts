import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Delivery, Status } from '#domain/deliveries/delivery.ts'
import { contactOf, type User } from '#domain/users/user.ts'
import type { DeliveryList, StoredDelivery } from '#server/ports/stores/delivery-stores.ts'
import { present } from '../../../helpers/present.ts'
import type { RepoFixture } from './repo-fixture.ts'

const routes = [
  { pickupZone: 'Osu', dropoffZone: 'Tema' },
  { pickupZone: 'Osu', dropoffZone: 'Circle' },
  { pickupZone: 'Madina', dropoffZone: 'Tema' },
] as const
const filters = [
  {},
  { pickupZone: 'Osu' },
  { dropoffZone: 'Tema' },
  { pickupZone: 'Osu', dropoffZone: 'Tema' },
  { pickupZone: 'Nowhere' },
] as const

/** The last is of no delivery. */
const onWay = [
  { pickup: 'Osu', dropoff: 'Circle', km: 0.5 },
  { pickup: 'Madina', dropoff: 'Tema', km: 0 },
  { pickup: 'Tema', dropoff: 'Osu', km: 2.25 },
]

const step = fc.oneof(
  // Several have the same time: then the ID orders them.
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('add' as const), route: fc.nat(2), at: fc.nat(5) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      pick: fc.nat(30),
      to: fc.constantFrom<Status>('Cancelled', 'Delivered', 'Pending'),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('page' as const), who: fc.nat(20) }) },
)

/** The contract of lists that are read by pages and by what changed, whatever changes in between. */
export function deliveryPagesContract({ repo, user, draft, by, save }: RepoFixture) {
  /** A phone that reads a list page by page, and then what changed, page by page. */
  function reader(list: DeliveryList, limit: number) {
    const rows = new Map<string, number>()
    let since: string | undefined
    let walk: { after?: string; cursor?: string; seen: Set<string> } = { seen: new Set() }
    let walks = 0
    const ask = (page: { limit: number; after?: string }, from?: string) =>
      repo.read(({ deliveries }) => deliveries.list(list, page, from))

    async function readPage() {
      const answer = await ask({ limit, after: walk.after }, since)
      expect(answer.rows.length + (answer.removed?.length ?? 0)).toBeLessThanOrEqual(limit)
      expect(answer.removed === undefined).toBe(since === undefined)
      for (const { ID, version } of answer.rows) rows.set(ID, version)
      for (const id of answer.removed ?? []) rows.delete(id)
      for (const id of [...answer.rows.map(({ ID }) => ID), ...(answer.removed ?? [])]) {
        expect(walk.seen.has(id), 'a row stands on two pages').toBe(false)
        walk.seen.add(id)
      }
      walk.cursor ??= answer.cursor
      walk.after = answer.next
      if (answer.next !== undefined) return answer.removed ?? []
      since = walk.cursor
      walk = { seen: new Set() }
      walks++
      return answer.removed ?? []
    }

    /** Reads until nothing more changes, and compares with the list itself. */
    async function settle() {
      for (const until = walks + 2; walks < until; ) await readPage()
      const truth = await ask({ limit: 1_000 })
      expect([...rows].sort()).toEqual(truth.rows.map(({ ID, version }) => [ID, version]).sort())
    }
    return { list, readPage, settle }
  }

  function readersFor(yaw: User, kojo: User) {
    const lists: DeliveryList[] = [
      ...filters.map((filter) => ({
        of: { forDriver: yaw.ID },
        only: filter,
        statuses: ['Pending' as const],
      })),
      { of: { forDriver: yaw.ID }, routes: onWay, statuses: ['Pending'] },
      { of: { driver: kojo.ID } },
      { of: { driver: kojo.ID }, statuses: ['Delivered'] },
    ]
    return lists.flatMap((list) => [1, 4].map((limit) => reader(list, limit)))
  }

  /** Whether this reader could have seen the row at some time. */
  function mayHaveSeen(
    { of, only = {}, routes: wanted }: DeliveryList,
    row: Delivery,
    yaw: User,
    takers: Set<string>,
  ) {
    if (of === 'everyone' || !('forDriver' in of)) return takers.has(row.ID)
    const { pickupZone = row.pickupZone, dropoffZone = row.dropoffZone } = only
    const isOwn = row.sender?.id === yaw.ID
    const isWanted = (each: (typeof onWay)[number]) =>
      each.pickup === row.pickupZone && each.dropoff === row.dropoffZone
    if (wanted && !wanted.some(isWanted)) return false
    return !isOwn && pickupZone === row.pickupZone && dropoffZone === row.dropoffZone
  }

  test('R73: whatever changes between pages, lists of routes and of jobs skip nothing, repeat nothing and name no foreign row', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 50 }), async (steps) => {
        const [yaw, kojo] = [await user({ role: 'driver' }), await user({ role: 'driver' })]
        const readers = readersFor(yaw, kojo)
        const made: StoredDelivery[] = []
        const takers = new Set<string>()
        const add = async (over: Partial<Delivery>) => {
          const row = draft(over)
          made.push(await repo.transaction(({ deliveries }) => deliveries.add(row)))
        }
        await add({ ...by(yaw), ...routes[0] })
        for (const each of steps) {
          if (each.do === 'add') {
            const createdAt = new Date(Date.UTC(2026, 0, 1, each.at)).toISOString()
            await add({ ...routes[each.route], createdAt })
          }
          if (each.do === 'change') {
            const at = 1 + (each.pick % Math.max(1, made.length - 1))
            const row = made[at]
            if (!row) continue
            if (each.to === 'Delivered') takers.add(row.ID)
            const driver = each.to === 'Delivered' ? contactOf(kojo) : undefined
            made[at] = await save({ ...row, status: each.to, driver })
          }
          if (each.do === 'page') {
            const { list, readPage } = present(readers[each.who % readers.length])
            for (const id of await readPage()) {
              const row = made.find(({ ID }) => ID === id)
              // A row of another run is no part of this one.
              if (row) expect(mayHaveSeen(list, row, yaw, takers), JSON.stringify(list)).toBe(true)
            }
          }
        }
        for (const each of readers) await each.settle()
        const cancel = made.filter(({ status }) => status === 'Pending')
        for (const row of cancel) await save({ ...row, status: 'Cancelled' })
        for (const each of readers) await each.settle()
      }),
      { numRuns: 6, seed: 5, endOnFailure: true },
    )
  }, 120_000)

  test('R164: a list of routes has no other, the smallest detour first, also over pages', async () => {
    const yaw = await user({ role: 'driver' })
    const list = { of: { forDriver: yaw.ID }, routes: onWay, statuses: ['Pending' as const] }
    const made: StoredDelivery[] = []
    for (const route of [...routes, ...routes])
      made.push(await repo.transaction(({ deliveries }) => deliveries.add(draft({ ...route }))))
    const found: StoredDelivery[] = []
    for (let after: string | undefined, more = true; more; more = after !== undefined) {
      const page = await repo.read(({ deliveries }) => deliveries.list(list, { limit: 1, after }))
      found.push(...page.rows)
      after = page.next
    }
    const own = found.filter(({ ID }) => made.some((each) => each.ID === ID))
    expect(own.map(({ pickupZone }) => pickupZone)).toEqual(['Madina', 'Madina', 'Osu', 'Osu'])
    expect(own.map(({ dropoffZone }) => dropoffZone)).toEqual(['Tema', 'Tema', 'Circle', 'Circle'])
    await expect(
      repo.read(({ deliveries }) => deliveries.list(list, { limit: 1, after: 'W10' })),
    ).rejects.toMatchObject({ reason: 'invalid' })
  })
}
