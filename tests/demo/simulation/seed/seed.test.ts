import { createHash } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
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
import { IdType } from '#domain/users/driver.ts'
import { idNumberProblem } from '#domain/users/id-numbers.ts'
import { isPhone } from '#domain/users/phone.ts'
import { createServer } from '#server/http/app.ts'
import type { Repo } from '#server/ports/repo.ts'
import { memoryImages } from '../../../helpers/server/memory-images.ts'
import { present } from '../../../helpers/server/server.ts'
import { imageHost, portsOver, repos } from '../fixture.ts'

const begin = '2026-11-21T15:30:00.000Z'
const day = 24 * 60 * 60_000

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function openSeededCity({
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

describe.each(repos)('The city of the demo, stored in %s', (...open) => {
  test('has people, zones, items, deliveries in every status, disputes and activities', async () => {
    const { repo } = await openSeededCity({ open })
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
    const { repo } = await openSeededCity({ open })
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
    expect(paid.get(personas.driver.id)).toBeGreaterThan(10_000)
    const sum = [...paid.values()].reduce((a, b) => a + b, 0)
    expect(toPesewas(stats.totalRevenue)).toBe(sum)
  })

  test('every persona with an account can log in with the demo’s password', async () => {
    const { server } = await openSeededCity({ open })
    for (const character of Object.values(personas)) {
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
  test('is the same for the same seed and clock, and differs for another seed', async () => {
    const contents = async (seed: number) => {
      const { deliveries, users, applications, disputes, activities } = await all(
        (await openSeededCity({ seed })).repo,
      )
      return { deliveries, users, applications, disputes, activities }
    }
    expect(await contents(7)).toEqual(await contents(7))
    expect((await contents(8)).deliveries).not.toEqual((await contents(7)).deliveries)
  })

  test('is built once, also when two tabs start at once or one was closed half-way', async () => {
    const { ports, repo } = await openSeededCity()
    const { stats } = await all(repo)
    await seedCity(ports)
    expect((await all(repo)).stats).toEqual(stats)

    const { repo: empty, drop } = await present(repos[0])[1]()
    closing.push(drop)
    const twice = await portsOver(empty, begin)
    const failing = {
      ...twice.ports,
      images: { ...memoryImages(), put: () => Promise.reject('closed') },
    }
    await expect(seedCity(failing)).rejects.toBe('closed')
    await Promise.all([seedCity(twice.ports), seedCity(twice.ports)])
    expect((await all(empty)).stats).toEqual(stats)
  })

  test.each([
    ...[1, 2, 3, 4, 5, 6].map((number) => [number, begin] as const),
    [233, '2026-01-01T03:10:00.000Z'] as const,
    [233, '2028-02-29T23:59:00.000Z'] as const,
  ])(
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

  test('gives the personas finished deliveries and leaves them none to finish', async () => {
    const { repo } = await openSeededCity()
    const { deliveries } = await all(repo)
    const sent = deliveries.filter(({ sender }) => sender?.id === personas.sender.id)
    const driven = deliveries.filter(({ driver }) => driver?.id === personas.driver.id)
    expect(sent.length).toBeGreaterThan(4)
    expect(sent.filter(isActiveDelivery)).toEqual([])
    expect(driven.length).toBeGreaterThan(8)
    expect(driven.filter((each) => isActiveJob(each) || each.status === 'Delivered')).toEqual([])
    const pending = await repo.read(({ users }) => users.get(personas.pending.id))
    expect(pending).toMatchObject({ role: 'driver', driverStatus: 'pending' })
  })

  test('names photos that are stored, are drawings and have URLs of the image host (R22)', async () => {
    const { repo, photos } = await openSeededCity()
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

  test('shows ID cards with valid numbers (R6), marked as specimens', async () => {
    const { repo, photos } = await openSeededCity()
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
