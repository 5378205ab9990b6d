import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import type { Delivery, Status } from '#domain/deliveries/delivery.ts'
import { referenceOf } from '#domain/deliveries/reference.ts'
import type { Page } from '#server/ports/stores/paging.ts'
import { withClient } from '#server/postgres/connection/with-client.ts'
import { openPostgres, type PostgresRepo } from '#server/postgres/open-postgres.ts'
import { fill } from '../../helpers/database/fill-database.ts'
import { type FreshDatabase, freshDatabase } from '../../helpers/database/postgres.ts'

const list = { of: 'everyone' as const }

const textOf = ({ driver, ...row }: Delivery) =>
  [
    ...[row.itemDescription, row.status, row.senderName, row.recipientName, row.recipientPhone],
    ...[row.pickupZone, row.dropoffZone, driver?.name ?? '', row.ID],
  ]
    .join('\n')
    .toLowerCase()

const idsOf = (rows: Delivery[]) => rows.map(({ ID }) => ID)

type Extent = {
  words: string[] /** For a common word that only old deliveries have. */
  sorts: (string | undefined)[]
}

/**
 * A search is made in two ways, of rare and of common words. Both find what reading every row finds, in the order of the
 * list.
 */
export function deliverySearchTests({ words, sorts }: Extent) {
  let database: FreshDatabase
  let repo: PostgresRepo
  let everything: Delivery[]

  beforeAll(async () => {
    database = await freshDatabase(inject('postgresUrl'))
    await fill({ connectionString: database.ownerUrl }, { users: 200, deliveries: 4_000 })
    repo = openPostgres(database.url)
    everything = await pages({})
  })
  afterAll(async () => {
    await repo.close()
    await database.drop()
  })

  /** All pages of the list, put together. */
  async function pages(page: Omit<Page, 'limit'>, statuses?: Status[]): Promise<Delivery[]> {
    const rows: Delivery[] = []
    let after: string | undefined
    do {
      const found = await repo.read(({ deliveries }) =>
        deliveries.list({ ...list, statuses }, { ...page, limit: 500, after }),
      )
      rows.push(...found.rows)
      after = found.next
    } while (after !== undefined)
    return rows
  }

  const wanted = (search: string, statuses?: Status[]) =>
    everything
      .filter((row) => textOf(row).includes(search.toLowerCase()))
      .filter(({ status }) => !statuses || statuses.includes(status))
      .map(({ ID }) => ID)

  test.each(words)('a search for %j finds what reading every row finds', async (search) => {
    expect(idsOf(await pages({ search }))).toEqual(wanted(search))
    const statuses: Status[] = ['Pending', 'Cancelled']
    expect(idsOf(await pages({ search }, statuses))).toEqual(wanted(search, statuses))
  })

  test('by price, the pages of a search are in the order of the price', async () => {
    for (const search of ['kente', 'a', undefined]) {
      const found = await pages({ search, sort: '-offer' })
      expect(idsOf(found).sort()).toEqual(wanted(search ?? '').sort())
      const prices = found.map(({ offer }) => offer)
      expect(prices).toEqual(prices.toSorted((a, b) => b - a))
    }
  })

  test('part of an ID and a reference find their delivery', async () => {
    const { ID } = everything[1_234] as Delivery
    expect(idsOf(await pages({ search: ID.slice(3, 20) }))).toEqual([ID])
    const found = await pages({ search: referenceOf(ID) })
    expect(idsOf(found)).toContain(ID)
    for (const each of found) expect(referenceOf(each.ID)).toBe(referenceOf(ID))
  })

  test('hits are counted up to a thousand; then more is said to be there', async () => {
    const count = (search: string) =>
      repo.read(({ deliveries }) => deliveries.listCounted(list, { limit: 1, search }))
    for (const search of ['kente', 'zq', 'Picked Up', '4', 'a']) {
      const { counts, atLeast } = await count(search)
      const total = Object.values(counts).reduce((sum, each) => sum + each, 0)
      const all = wanted(search).length
      expect(atLeast, search).toBe(all > 1_000 ? 1_000 : undefined)
      expect(total, search).toBe(all > 1_000 ? 0 : all)
    }
  })

  test('without a search the rollups count what reading every row counts', async () => {
    const counts = await repo.read(({ deliveries }) => deliveries.countByStatus(list))
    const inStatus = (status: string) => everything.filter((row) => row.status === status).length
    expect(Object.keys(counts).length).toBeGreaterThan(4)
    for (const [status, count] of Object.entries(counts)) expect(count).toBe(inStatus(status))
  })

  test('R73: the cursor of a search is read before its hits, so that no change falls between them', async () => {
    const query = vi.spyOn(repo.pool, 'query')
    await repo.read(({ deliveries }) => deliveries.listCounted(list, { limit: 10, search: 'zq' }))
    const sent = query.mock.calls.map(([statement]) => JSON.stringify(statement))
    query.mockRestore()
    const first = (part: string) => sent.findIndex((text) => text.includes(part))
    expect(first('from delivery_search')).toBeGreaterThan(first('pg_current_snapshot'))
    expect(first('pg_current_snapshot')).toBe(0)
  })

  // The last one: it changes what is searched.
  test.each(sorts)(
    'a common word that only old deliveries have is found, sorted by %j',
    async (sort) => {
      const order = (await pages({ sort })).map(({ ID }) => ID)
      const old = order.slice(2_500)
      await withClient(database.ownerUrl, 'test', (client) =>
        client.query(
          `update delivery_search set text = text || ' brocade' || $2 where id = any($1::uuid[])`,
          [old, sort?.toLowerCase() ?? ''],
        ),
      )
      const search = `brocade${sort ?? ''}`
      expect(idsOf(await pages({ search, sort }))).toEqual(old)
      const approved = everything.filter(({ status }) => status === 'Approved').map(({ ID }) => ID)
      const found = idsOf(await pages({ search, sort }, ['Approved']))
      expect(found).toEqual(old.filter((id) => approved.includes(id)))
    },
  )
}
