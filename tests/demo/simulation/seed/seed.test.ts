import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { personas } from '#demo/simulation/personas.ts'
import { seedCity } from '#demo/simulation/seed/seed.ts'
import { isActiveDelivery, isActiveJob } from '#domain/deliveries/delivery.ts'
import { IdType } from '#domain/users/driver.ts'
import { idNumberProblem } from '#domain/users/id-numbers.ts'
import { memoryImages } from '../../../helpers/server/memory-images.ts'
import { present } from '../../../helpers/server/server.ts'
import { imageHost, portsOver, repos } from '../fixture.ts'
import {
  all,
  begin,
  cityOfTests,
  closing,
  openSeededCity,
  pastOfCities,
  storedCity,
} from './seeded-city.ts'

storedCity(present(repos[0]))
pastOfCities([[233, '2028-02-29T23:59:00.000Z']])

describe('The city of the demo', () => {
  const city = cityOfTests()

  test('is the same for the same seed and clock, and differs for another seed', async () => {
    const contents = async (of: Pick<ReturnType<typeof city>, 'repo'>) => {
      const { deliveries, users, applications, disputes, activities } = await all(of.repo)
      return { deliveries, users, applications, disputes, activities }
    }
    const first = await contents(await openSeededCity({ seed: 7 }))
    expect(await contents(await openSeededCity({ seed: 7 }))).toEqual(first)
    expect((await contents(city())).deliveries).not.toEqual(first.deliveries)
  })

  test('is built once, also when two tabs start at once or one was closed half-way', async () => {
    const { ports, repo } = city()
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

  test('gives the personas finished deliveries and leaves them none to finish', async () => {
    const { repo } = city()
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
    const { repo, photos } = city()
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
    const { repo, photos } = city()
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
