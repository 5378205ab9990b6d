import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { demoPassword, personas } from '#demo/simulation/personas.ts'
import { seedCity } from '#demo/simulation/seed/seed.ts'
import { defaultItems, defaultZones } from '#domain/choices.ts'
import {
  type Delivery,
  isActiveDelivery,
  isActiveJob,
  Status,
} from '#domain/deliveries/delivery.ts'
import { isValidOffer, toPesewas } from '#domain/money.ts'
import { isPhone } from '#domain/users/phone.ts'
import { createServer } from '#server/app.ts'
import type { Repo } from '#server/ports/repo.ts'
import { present } from '../../../helpers/server/server.ts'
import { portsOver, repos } from '../fixture.ts'

export const begin = '2026-11-21T15:30:00.000Z'
const day = 24 * 60 * 60_000

export const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

export async function openSeededCity({
  open = repos[0],
  seed,
  now = begin,
}: {
  open?: (typeof repos)[number]
  seed?: number
  now?: string
} = {}) {
  const { repo, drop } = await present(open)[1]()
  closing.push(drop)
  const fixture = await portsOver(repo, now)
  await seedCity(fixture.ports, seed)
  return { ...fixture, repo, server: createServer(fixture.ports) }
}

/** One city for all tests of a `describe`. */
export function cityOfTests(about: Parameters<typeof openSeededCity>[0] = {}) {
  let city: Awaited<ReturnType<typeof openSeededCity>> | undefined
  let open: typeof closing = []
  beforeAll(async () => {
    city = await openSeededCity(about)
    open = closing.splice(0)
  })
  afterAll(async () => {
    for (const close of open) await close()
  })
  return () => present(city)
}

export const all = (repo: Repo) =>
  repo.read(async (stores) => ({
    deliveries: (await stores.deliveries.list({ of: 'everyone' }, { limit: 1_000 })).rows,
    users: (await stores.users.list({ limit: 1_000 })).rows,
    applications: (await stores.applications.list({ limit: 1_000 })).rows,
    disputes: (await stores.disputes.list({ limit: 1_000 })).rows,
    activities: await stores.activities.list(1_000),
    zones: await stores.zones.list(),
    items: await stores.items.list(),
    stats: await stores.stats(),
    trends: await stores.trends(60, begin),
  }))

/** What the city holds, stored in this kind of database. */
export function storedCity(open: (typeof repos)[number]) {
  describe(`The city of the demo, stored in ${open[0]}`, () => {
    const city = cityOfTests({ open })

    test('has people, zones, items, deliveries in every status, disputes and activities', async () => {
      const { repo } = city()
      const { deliveries, users, applications, disputes, activities, ...rest } = await all(repo)
      expect(rest.zones.map(({ Name }) => Name)).toEqual(defaultZones)
      expect(rest.items.map(({ Name }) => Name)).toEqual(defaultItems)
      expect(users.length).toBeGreaterThanOrEqual(40)
      expect(new Set(users.map(({ name }) => name)).size).toBe(users.length)
      expect(users.filter(({ phone_number }) => !isPhone(phone_number))).toEqual([])
      expect(users.filter(({ role }) => role === 'admin').map(({ ID }) => ID)).toEqual([
        personas.admin.id,
      ])
      expect(new Set(applications.map(({ Status }) => Status))).toEqual(
        new Set(['pending', 'approved', 'rejected']),
      )
      expect(applications).toHaveLength(users.filter(({ role }) => role === 'driver').length)
      expect(deliveries.length).toBeGreaterThanOrEqual(200)
      for (const status of Status.options)
        expect(deliveries.filter((each) => each.status === status).length).toBeGreaterThanOrEqual(3)
      expect(disputes.filter(({ status }) => status === 'open').length).toBeGreaterThan(2)
      expect(disputes.filter(({ status }) => status === 'resolved').length).toBeGreaterThan(4)
      expect(activities.length).toBeGreaterThan(40)
      expect(rest.stats.pendingDeliveries).toBeGreaterThanOrEqual(14)
      expect(rest.stats.pendingDrivers).toBeGreaterThanOrEqual(3)
      const days = rest.trends.days.filter(({ revenue, delivered }) => revenue > 0 && delivered > 0)
      expect(days.length).toBeGreaterThan(40)
    })

    test('holds the offers of unfinished deliveries and has paid the approved ones (R40 to R42)', async () => {
      const { repo } = city()
      const { deliveries, stats } = await all(repo)
      const paid = new Map<string, number>()
      await repo.read(async ({ ledger }) => {
        for (const delivery of deliveries) {
          const pesewas = toPesewas(delivery.offer)
          const kinds = (await ledger.of(delivery.ID)).map(({ kind }) => kind)
          const end =
            { Approved: ['release', 'payout'], Cancelled: ['refund'] }[String(delivery.status)] ??
            []
          expect(new Set(kinds)).toEqual(new Set(['hold', ...end]))
          expect(await ledger.balance(`promised:${delivery.ID}`)).toBe(end.length ? 0 : pesewas)
          if (delivery.status === 'Approved')
            paid.set(
              present(delivery.driver).id,
              (paid.get(present(delivery.driver).id) ?? 0) + pesewas,
            )
        }
        for (const [driver, pesewas] of paid)
          expect(await ledger.balance(`driver:${driver}`)).toBe(pesewas)
      })
      expect(paid.get(personas.driver.id)).toBeGreaterThan(10_000)
      const sum = [...paid.values()].reduce((a, b) => a + b, 0)
      expect(toPesewas(stats.totalRevenue)).toBe(sum)
    })

    test('every persona with an account can log in with the demo’s password', async () => {
      const { server } = city()
      for (const character of Object.values(personas)) {
        if (!('email' in character)) continue
        const body = JSON.stringify({ email: character.email, password: demoPassword })
        const answer = await server.fetch(
          new Request('https://soma.test/api/login', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body,
          }),
        )
        expect(answer.status).toBe(200)
        expect(await answer.json()).toMatchObject({
          user: { ID: character.id, name: character.name, Verified: true },
        })
      }
    })
  })
}

/** The past of the cities of these seeds and moments. */
export function pastOfCities(seeds: (readonly [seed: number, now: string])[]) {
  test.each(seeds)(
    'seed %i at %s keeps R21, R23, R29 and R30 at every moment of its past',
    async (number, now) => {
      const { repo } = await openSeededCity({ seed: number, now })
      const { deliveries, users } = await all(repo)
      const since = new Map<string, number>()
      await repo.read(async (stores) => {
        for (const { ID, email } of users)
          since.set(ID, Date.parse(present(await stores.users.byEmail(email)).createdAt))
      })
      const oldest = Math.min(...deliveries.map(({ createdAt }) => Date.parse(createdAt)))
      expect(Date.parse(now) - oldest).toBeLessThan(61 * day)
      expect(Date.parse(now) - oldest).toBeGreaterThan(40 * day)
      for (const delivery of deliveries) {
        const history = present(delivery.history)
        const times = history.map(({ at }) => Date.parse(at))
        expect(times).toEqual([...times].sort((a, b) => a - b))
        expect(times.at(-1)).toBeLessThan(Date.parse(now))
        expect([history[0]?.at, history.at(-1)?.at]).toEqual([
          delivery.createdAt,
          delivery.updatedAt,
        ])
        expect(history.at(-1)?.status).toBe(delivery.status)
        const names = history.map(({ status }) => status).filter((each) => each !== 'Cancelled')
        expect(names).toEqual(Status.options.slice(0, names.length))
        expect(delivery.pickupZone).not.toBe(delivery.dropoffZone)
        expect(isValidOffer(delivery.offer)).toBe(true)
        expect(isPhone(delivery.recipientPhone ?? '')).toBe(true)
        expect(delivery.deliveryCode).toMatch(/^\d{5}$/)
        expect(delivery.sender === undefined).toBe(delivery.isGuestDelivery)
        expect(delivery.driver?.id).not.toBe(delivery.sender?.id ?? 'a guest')
        if (delivery.sender)
          expect(times[0]).toBeGreaterThan(present(since.get(delivery.sender.id)))
      }
      const spans = (
        of: (delivery: Delivery) => [string | undefined, string | undefined, string],
      ) => {
        const open = new Map<string, string>()
        const inOrder = deliveries
          .map(of)
          .filter(([who, from]) => who && from)
          .sort(([, a], [, b]) => present(a).localeCompare(present(b)))
        for (const [who, from, to] of inOrder) {
          expect(present(from) >= (open.get(present(who)) ?? '')).toBe(true)
          open.set(present(who), to)
        }
      }
      const stepOf = ({ history }: Delivery, wanted: Status) =>
        history?.find(({ status }) => status === wanted)?.at
      spans((each) => [
        each.sender?.id,
        each.createdAt,
        isActiveDelivery(each) ? '9' : each.updatedAt,
      ])
      spans((each) => [
        each.driver?.id,
        stepOf(each, 'Accepted'),
        isActiveJob(each) ? '9' : (stepOf(each, 'Delivered') ?? each.updatedAt),
      ])
    },
  )
}
