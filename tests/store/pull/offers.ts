import { expect } from 'vitest'
import * as lists from '#store/queries/lists.ts'
import type { Network, Phone } from '../../helpers/device/phone.ts'
import type { ServerFixture, serverOfFile } from '../../sync/server-fixture.ts'

/** Jobs that a phone keeps of those on offer, at most. */
const most = 2_000

export const created = (index: number) =>
  new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString()

/** Jobs on offer as a server has them, oldest first; every tenth goes from Osu to Tema. */
export async function offersOnServer(server: ServerFixture, count: number) {
  const made = await server.delivery(await server.sender())
  return Array.from({ length: count }, (_, index) => ({
    ...made,
    ID: `00000000-0000-4000-8000-${`${index}`.padStart(12, '0')}`,
    pickupZone: index % 10 === 0 ? 'Osu' : 'Madina',
    dropoffZone: 'Tema',
    createdAt: created(index),
    updatedAt: created(index),
  }))
}

export type Offer = Awaited<ReturnType<typeof offersOnServer>>[number]

/** Answers `available-deliveries` from these jobs; `changed` is what a delta gives. */
export function serve(
  network: Network,
  all: Offer[],
  changed: { rows: Offer[]; removed: string[]; next?: string },
) {
  const asked: URLSearchParams[] = []
  network.setConditions(({ url }) => {
    const { pathname, searchParams } = new URL(url)
    if (pathname !== '/api/driver/available-deliveries') return 'fine'
    asked.push(searchParams)
    if (searchParams.has('since'))
      return Response.json({
        deliveries: changed.rows,
        removed: changed.removed,
        cursor: 'c2',
        next: changed.next,
      })
    const zone = searchParams.get('pickupZone')
    const along = all.filter(({ pickupZone }) => !zone || pickupZone === zone).reverse()
    const limit = Number(searchParams.get('limit') ?? 1_000)
    const after = Number(searchParams.get('after') ?? 0)
    const next = after + limit < along.length ? `${after + limit}` : undefined
    return Response.json({ deliveries: along.slice(after, after + limit), cursor: 'c1', next })
  })
  return asked
}

/** Where the older jobs on offer continue; nothing where there are none. */
export const older = async (phone: Phone) => (await lists.pulled(phone.db, 'available'))?.older

/** Of `count` jobs on offer, all that a phone keeps come on scrolling, page by page. */
export async function expectGrowth(
  { server, network, driverPhone }: ReturnType<typeof serverOfFile>,
  count: number,
) {
  const all = await offersOnServer(server(), count)
  const asked = serve(network(), all, { rows: [], removed: [] })
  const phone = await driverPhone()
  await phone.settle()
  const newest = all.map(({ ID }) => ID).reverse()
  for (let held = 400; held <= Math.min(count, most); held += 200) {
    const before = asked.length
    expect(await phone.pullOlder({ kind: 'available' })).toBe('done')
    expect(asked.length - before).toBe(1)
    expect(await phone.db.deliveries.count()).toBe(held)
  }
  await phone.pullOlder({ kind: 'available' })
  const held = await lists.available(phone.db, {}, 10_000)
  expect(held.map(({ ID }) => ID)).toEqual(newest.slice(0, most))
  expect(await older(phone)).toBeUndefined()
}
