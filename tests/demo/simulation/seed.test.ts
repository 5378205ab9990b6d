import { createHash } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { characters, demoPassword } from '#demo/simulation/accounts.ts'
import { seedCity } from '#demo/simulation/seed.ts'
import { defaultItems, defaultZones } from '#domain/choices.ts'
import { type Delivery, isActiveDelivery, isActiveJob, Status } from '#domain/delivery.ts'
import { IdType, idNumberProblem } from '#domain/driver.ts'
import { isValidOffer, toPesewas } from '#domain/money.ts'
import { isPhone } from '#domain/phone.ts'
import { createServer } from '#server/http/app.ts'
import type { Repo } from '#server/ports/repo.ts'
import { memoryImages } from '../../helpers/images.ts'
import { present } from '../../helpers/server.ts'
import { gatewaysOver, homes, imageHost } from './fixture.ts'

const begin = '2026-11-21T15:30:00.000Z'
const day = 24 * 60 * 60_000

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function town({
  home = homes[0],
  number,
  now = begin,
}: {
  home?: (typeof homes)[number]
  number?: number
  now?: string
} = {}) {
  const { repo, drop } = await present(home)[1]()
  closing.push(drop)
  const made = await gatewaysOver(repo, now)
  await seedCity(made.gateways, number)
  return { ...made, repo, server: createServer(made.gateways) }
}

const all = (repo: Repo) =>
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

describe.each(homes)('The city of the demo, kept in %s', (...home) => {
  test('has its people, lists, deliveries in every status, disputes and news', async () => {
    const { repo } = await town({ home })
    const { deliveries, users, applications, disputes, activities, ...rest } = await all(repo)
    expect(rest.zones.map(({ Name }) => Name)).toEqual(defaultZones)
    expect(rest.items.map(({ Name }) => Name)).toEqual(defaultItems)
    expect(users.length).toBeGreaterThanOrEqual(40)
    expect(new Set(users.map(({ name }) => name)).size).toBe(users.length)
    expect(users.filter(({ phone_number }) => !isPhone(phone_number))).toEqual([])
    expect(users.filter(({ role }) => role === 'admin').map(({ ID }) => ID)).toEqual([
      characters.admin.id,
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

  test('holds the money of what is under way, has paid what is approved, and owes nothing else', async () => {
    const { repo } = await town({ home })
    const { deliveries, stats } = await all(repo)
    const paid = new Map<string, number>()
    await repo.read(async ({ ledger }) => {
      for (const delivery of deliveries) {
        const pesewas = toPesewas(delivery.offer)
        const kinds = (await ledger.of(delivery.ID)).map(({ kind }) => kind)
        const end = { Approved: ['release'], Cancelled: ['refund'] }[String(delivery.status)] ?? []
        expect(kinds).toEqual(['hold', ...end])
        expect(await ledger.balance(`escrow:${delivery.ID}`)).toBe(end.length ? 0 : pesewas)
        if (delivery.status === 'Approved')
          paid.set(
            present(delivery.driver).id,
            (paid.get(present(delivery.driver).id) ?? 0) + pesewas,
          )
      }
      for (const [driver, pesewas] of paid)
        expect(await ledger.balance(`driver:${driver}`)).toBe(pesewas)
    })
    expect(paid.get(characters.driver.id)).toBeGreaterThan(10_000)
    const sum = [...paid.values()].reduce((a, b) => a + b, 0)
    expect(toPesewas(stats.totalRevenue)).toBe(sum)
  })

  test('lets every character in by the password that is shown', async () => {
    const { server } = await town({ home })
    for (const character of Object.values(characters)) {
      if (!('email' in character)) continue
      const body = JSON.stringify({ email: character.email, password: demoPassword })
      const answer = await server.fetch(
        new Request('https://soma.test/api/login', { method: 'POST', body }),
      )
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({
        user: { ID: character.id, name: character.name, Verified: true },
      })
    }
  })
})

describe('The city of the demo', () => {
  test('is the same for the same number and clock, and another for another number', async () => {
    const tell = async (number: number) => {
      const { deliveries, users, applications, disputes, activities } = await all(
        (await town({ number })).repo,
      )
      return { deliveries, users, applications, disputes, activities }
    }
    expect(await tell(7)).toEqual(await tell(7))
    expect((await tell(8)).deliveries).not.toEqual((await tell(7)).deliveries)
  })

  test('is built once, also when two tabs begin at once or one was closed half-way', async () => {
    const { gateways, repo } = await town()
    const { stats } = await all(repo)
    await seedCity(gateways)
    expect((await all(repo)).stats).toEqual(stats)

    const { repo: empty, drop } = await present(homes[0])[1]()
    closing.push(drop)
    const twice = await gatewaysOver(empty, begin)
    const dies = {
      ...twice.gateways,
      images: { ...memoryImages(), put: () => Promise.reject('closed') },
    }
    await expect(seedCity(dies)).rejects.toBe('closed')
    await Promise.all([seedCity(twice.gateways), seedCity(twice.gateways)])
    expect((await all(empty)).stats).toEqual(stats)
  })

  test.each([
    ...[1, 2, 3, 4, 5, 6].map((number) => [number, begin] as const),
    [233, '2026-01-01T03:10:00.000Z'] as const,
    [233, '2028-02-29T23:59:00.000Z'] as const,
  ])('number %i at %s keeps every rule at every moment of its past', async (number, now) => {
    const { repo } = await town({ number, now })
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
      expect([history[0]?.at, history.at(-1)?.at]).toEqual([delivery.createdAt, delivery.updatedAt])
      expect(history.at(-1)?.status).toBe(delivery.status)
      const names = history.map(({ status }) => status).filter((each) => each !== 'Cancelled')
      expect(names).toEqual(Status.options.slice(0, names.length))
      expect(delivery.pickupZone).not.toBe(delivery.dropoffZone)
      expect(isValidOffer(delivery.offer)).toBe(true)
      expect(isPhone(delivery.recipientPhone ?? '')).toBe(true)
      expect(delivery.deliveryCode).toMatch(/^\d{5}$/)
      expect(delivery.sender === undefined).toBe(delivery.isGuestDelivery)
      expect(delivery.driver?.id).not.toBe(delivery.sender?.id ?? 'a guest')
      if (delivery.sender) expect(times[0]).toBeGreaterThan(present(since.get(delivery.sender.id)))
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
  })

  test('leaves the characters free to begin, with a past of their own', async () => {
    const { repo } = await town()
    const { deliveries } = await all(repo)
    const sent = deliveries.filter(({ sender }) => sender?.id === characters.sender.id)
    const driven = deliveries.filter(({ driver }) => driver?.id === characters.driver.id)
    expect(sent.length).toBeGreaterThan(4)
    expect(sent.filter(isActiveDelivery)).toEqual([])
    expect(driven.length).toBeGreaterThan(8)
    expect(driven.filter((each) => isActiveJob(each) || each.status === 'Delivered')).toEqual([])
    const pending = await repo.read(({ users }) => users.get(characters.pending.id))
    expect(pending).toMatchObject({ role: 'driver', driverStatus: 'pending' })
  })

  test('shows photos that are there, drawn, and hosted by the image provider', async () => {
    const { repo, photos } = await town()
    const { deliveries, applications } = await all(repo)
    const proofs = deliveries.flatMap(({ proofOfDelivery }) => proofOfDelivery ?? [])
    expect(proofs.length).toBeGreaterThan(30)
    const urls = [
      ...deliveries.map(({ itemPhoto }) => itemPhoto),
      ...applications.map(({ IDPhoto }) => IDPhoto),
      ...proofs,
    ]
    for (const url of urls) {
      const name = present(url).replace(`${imageHost}/api/images/`, '')
      const bytes = present(photos.get(name))
      expect(name).toBe(`${createHash('sha256').update(bytes).digest('hex')}.svg`)
      expect(new TextDecoder().decode(bytes)).toMatch(/^<svg xmlns="[^"]+" .*<\/svg>$/)
    }
    expect(new Set(deliveries.map(({ itemPhoto }) => itemPhoto)).size).toBeGreaterThan(40)
  })

  test('shows papers whose numbers have the right form and stand on the card', async () => {
    const { repo, photos } = await town()
    const { applications } = await all(repo)
    expect(new Set(applications.map(({ IDType }) => IDType))).toEqual(new Set(IdType.options))
    for (const { IDType, IDNumber, IDPhoto } of applications) {
      const number = present(IDNumber)
      expect(idNumberProblem(IdType.parse(IDType), number)).toBeUndefined()
      const card = new TextDecoder().decode(photos.get(present(IDPhoto?.split('/').at(-1))))
      expect(card).toContain(number)
      expect(card).toContain('SPECIMEN')
    }
  })
})
