import { type AnyColumn, and, eq, inArray, like, or, type SQL, sql } from 'drizzle-orm'
import { Status } from '#domain/deliveries/delivery.ts'
import { idEndOf } from '#domain/deliveries/reference.ts'
import { fold } from '#domain/fold.ts'
import { mayBeContact, soughtPhone } from '#domain/office/search-text.ts'
import type { Db } from '../db.ts'
import { patternOf } from '../search.ts'
import { deliveries, deliverySearch, users } from '../tables.ts'

/*
 * A search looks in what never changes (`delivery_search`), in the status, in the driver's name, and in the phones and
 * e-mail addresses of both sides (R186). Up to
 * `mostHits` are found by the index of three-letter words, and the list is made of them. More hits than that
 * are likely near the top of any order, so the list is read in order and its rows compared. When that does not
 * fill the page, all hits are read and sorted.
 */

/** More hits than this are not counted. */
export const mostHits = 1_000

/**
 * A parsed search: the text's pattern, the statuses whose names contain it, the drivers whose names, or accounts whose
 * phones or e-mail addresses contain it, and the guest's phone that it is.
 */
export type Search = {
  pattern: string
  statuses: Status[]
  drivers?: SQL
  accounts?: SQL
  guestPhone?: string
}

/** Reads the text that somebody typed. A reference finds the rows it may stand for, and nothing else (R98). */
export function readSearch(text: string): Search {
  const end = idEndOf(text)
  if (end) return { pattern: `%${end}`, statuses: [] }
  const pattern = patternOf(text)
  const isFound = sql`${users}.search_text like ${pattern}`
  const has = (column: AnyColumn) => sql`fold(${column}) like ${pattern}`
  return {
    pattern,
    statuses: Status.options.filter((status) => fold(status).includes(fold(text))),
    drivers: and(eq(users.role, 'driver'), isFound, has(users.name)),
    accounts: mayBeContact(text)
      ? and(isFound, or(has(users.email), like(users.phone, pattern)))
      : undefined,
    guestPhone: soughtPhone(text),
  }
}

/** The rows of `deliveries` that this search finds, compared one by one. */
export function isFoundBy(search: Search): SQL | undefined {
  const { pattern, statuses, drivers, accounts, guestPhone } = search
  return or(
    // A subquery that PostgreSQL cannot turn into a join, which would read every row before the first.
    sql`(select ${deliverySearch.text} from ${deliverySearch} where ${deliverySearch.id} = ${deliveries.id})
      like ${pattern}`,
    statuses.length > 0 ? inArray(deliveries.status, statuses) : undefined,
    drivers && sql`${deliveries.driverId} in ${idsWhere(drivers)}`,
    accounts && sql`${deliveries.driverId} in ${idsWhere(accounts)}`,
    accounts && sql`${deliveries.senderId} in ${idsWhere(accounts)}`,
    guestPhone ? and(deliveries.isGuest, eq(deliveries.senderPhone, guestPhone)) : undefined,
  )
}

const idsWhere = (condition: SQL) => sql`(select ${users.id} from ${users} where ${condition})`

/** Pages of `delivery_search` that are read before the index is asked: some 20,000 rows, 10 ms. */
const firstPages = 400

/** The IDs that a search finds; `undefined` when there are more than `mostHits`. */
export async function findHits(db: Db, search: Search): Promise<string[] | undefined> {
  const { pattern } = search
  const limit = sql`limit ${mostHits + 1}`
  const { byText, ...others } = selectsOf(search)
  // The index is used last, because for a common word it reads every hit before it returns the first.
  const parts = [
    ...Object.values(others).map((select) => select && sql`${select} ${limit}`),
    sql`${byText} and ctid < ${`(${firstPages},0)`}::tid ${limit}`,
    hasWord.test(pattern)
      ? sql`select find_deliveries(${pattern}, ${mostHits + 1}) as id`
      : sql`${byText} ${limit}`,
  ]
  const hits = new Set<string>()
  for (const part of parts) {
    if (!part) continue
    const { rows } = await db.execute<{ id: string }>(part)
    for (const { id } of rows) hits.add(id)
    if (hits.size > mostHits) return undefined
  }
  return [...hits]
}

/** A select of every ID that a search finds. */
export function allHits(search: Search): SQL {
  const selects = Object.values(selectsOf(search)).filter((each) => each !== undefined)
  return sql.join(selects, sql` union `)
}

const selectsOf = ({ pattern, statuses, drivers, accounts, guestPhone }: Search) => ({
  byText: sql`select id from delivery_search where text like ${pattern}`,
  byDriver: drivers && sql`select id from deliveries where driver_id in ${idsWhere(drivers)}`,
  ofDriver: accounts && sql`select id from deliveries where driver_id in ${idsWhere(accounts)}`,
  ofSender: accounts && sql`select id from deliveries where sender_id in ${idsWhere(accounts)}`,
  ofGuest:
    guestPhone === undefined
      ? undefined
      : sql`select id from deliveries where is_guest and sender_phone = ${guestPhone}`,
  byStatus:
    statuses.length > 0 ? sql`select id from deliveries where status in ${statuses}` : undefined,
})

/** Three letters or digits in a row: without them the index of words is of no use. */
const hasWord = /[\p{L}\p{N}]{3}/u
