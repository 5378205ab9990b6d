import { and, asc, eq, getTableColumns, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { deletedName } from '#domain/users/user.ts'
import { withoutNames } from '../../ports/stores/named-texts.ts'
import type { PersonalData, RowsByTable } from '../../ports/stores/personal-store.ts'
import type { Db } from '../db.ts'
import { toDelivery } from '../deliveries/delivery-row.ts'
import {
  activities,
  applications,
  audit,
  codes,
  deliveries,
  devices,
  disputes,
  entries,
  guestTokens,
  notifications,
  payments,
  requests,
  sessions,
  subscriptions,
  userNotes,
  users,
} from '../tables.ts'
import { type Held, personalColumns } from './personal-columns.ts'

type Owned = { table: PgTable; name: keyof typeof personalColumns; where: SQL | undefined }

export function personalDataOver(db: Db): PersonalData {
  const isGuestTokenOf = (ids: SQL) =>
    sql`${subscriptions.guest} in (select ${guestTokens.hash} from ${guestTokens} where ${guestTokens.deliveryId} = any(${ids}))`

  /** Where the rows of an account are. Those that hold them without naming them come before the rows that name them. */
  const rowsOfAccount = (id: string): Record<'deleted' | 'emptied' | 'kept', Owned[]> => ({
    deleted: [
      {
        table: subscriptions,
        name: 'subscriptions',
        where: sql`${subscriptions.session} in (select ${sessions.hash} from ${sessions} where ${sessions.userId} = ${id})`,
      },
      { table: sessions, name: 'sessions', where: eq(sessions.userId, id) },
      { table: applications, name: 'applications', where: eq(applications.userId, id) },
      { table: userNotes, name: 'userNotes', where: eq(userNotes.userId, id) },
      { table: codes, name: 'codes', where: eq(codes.userId, id) },
      { table: devices, name: 'devices', where: eq(devices.userId, id) },
      { table: notifications, name: 'notifications', where: eq(notifications.userId, id) },
      { table: requests, name: 'requests', where: eq(requests.person, id) },
    ],
    emptied: [
      { table: users, name: 'users', where: eq(users.id, id) },
      { table: disputes, name: 'disputes', where: eq(disputes.reportedBy, id) },
      { table: payments, name: 'payments', where: eq(payments.driverId, id) },
    ],
    kept: [
      { table: audit, name: 'audit', where: eq(audit.subject, id) },
      {
        table: entries,
        name: 'entries',
        where: inArray(
          entries.account,
          ['sender', 'driver', 'owed'].map((each) => `${each}:${id}`),
        ),
      },
    ],
  })

  /** Where the rows of requests are, beside the deliveries themselves. */
  const rowsOfRequests = (ids: readonly string[]): Record<'deleted' | 'emptied', Owned[]> => {
    const these = sql`${sql.param(ids)}::uuid[]`
    const isCharged = and(sql`${payments.deliveryId} = any(${these})`, sql`kind <> 'payout'`)
    return {
      deleted: [
        { table: subscriptions, name: 'subscriptions', where: isGuestTokenOf(these) },
        {
          table: guestTokens,
          name: 'guestTokens',
          where: sql`${guestTokens.deliveryId} = any(${these})`,
        },
        { table: codes, name: 'codes', where: sql`${codes.userId} = any(${these})` },
        { table: requests, name: 'requests', where: sql`${requests.person} = any(${these})` },
        {
          table: notifications,
          name: 'notifications',
          where: and(sql`${notifications.deliveryId} = any(${these})`, sql`audience = 'guest'`),
        },
      ],
      emptied: [{ table: payments, name: 'payments', where: isCharged }],
    }
  }

  async function read(owned: readonly Owned[]): Promise<RowsByTable> {
    const found: RowsByTable = {}
    for (const { table, name, where } of owned) {
      const columns = columnsHeld(table, name, ['theirs', 'kept'])
      if (Object.keys(columns).length === 0) continue
      const rows = await db.select(columns).from(table).where(where)
      if (rows.length > 0) found[name] = rows.map(asJson)
    }
    return found
  }

  async function empty({ table, name, where }: Owned, values: object = {}) {
    const columns = Object.entries(columnsHeld(table, name, ['theirs', 'secret']))
    const cleared = Object.fromEntries(columns.map(([key, column]) => [key, nothingFor(column)]))
    await db
      .update(table)
      .set({ ...cleared, ...values })
      .where(where)
  }

  /** A report without the name of who made it; one of the server has none. */
  const emptyReport = (owned: Owned) =>
    owned.table === disputes
      ? empty(
          { ...owned, where: and(owned.where, isNotNull(disputes.reporterName)) },
          { reporterName: deletedName },
        )
      : empty(owned)

  const remove = ({ table, where }: Owned) => db.delete(table).where(where)

  const namedIn = (userId: string) =>
    or(
      eq(deliveries.senderId, userId),
      eq(deliveries.driverId, userId),
      eq(deliveries.releasedFrom, userId),
      sql`${deliveries.incidents} @> ${JSON.stringify([{ driver: userId }])}::jsonb`,
    )
  const select = (where: SQL | undefined) =>
    db.select().from(deliveries).where(where).orderBy(asc(deliveries.id))

  /** Texts of the dashboard with one of these names. */
  async function forgetNames(names: readonly string[]) {
    const found = await db
      .select()
      .from(activities)
      .where(or(...names.map((name) => sql`position(${name} in ${activities.message}) > 0`)))
    for (const { id, message } of found)
      await db
        .update(activities)
        .set({ message: withoutNames(message, names) })
        .where(eq(activities.id, id))
  }

  return {
    rowsOf: (id) => {
      const { deleted, emptied, kept } = rowsOfAccount(id)
      return read([...emptied, ...deleted, ...kept])
    },
    rowsOfGuest: (id) => {
      const { deleted, emptied } = rowsOfRequests([id])
      const reported = and(eq(disputes.deliveryId, id), eq(disputes.type, 'sender_issue'))
      return read([...emptied, ...deleted, { table: disputes, name: 'disputes', where: reported }])
    },
    deliveriesOf: async (id) => (await select(namedIn(id))).map(toDelivery),
    lockDeliveriesOf: async (id) =>
      (await select(namedIn(id)).for('no key update')).map(toDelivery),
    async lockDeliveriesOfGuest(phone) {
      const theirs = and(eq(deliveries.isGuest, true), eq(deliveries.senderPhone, phone))
      return (await select(theirs).for('no key update')).map(toDelivery)
    },
    async hasOpenPayments(ids, driverId) {
      const open = or(
        and(
          sql`${payments.deliveryId} = any(${sql.param(ids)}::uuid[])`,
          sql`kind <> 'payout' and (status in ('waiting', 'sent', 'otp') or kind = 'refund' and status <> 'paid')`,
        ),
        driverId === undefined
          ? undefined
          : and(eq(payments.driverId, driverId), sql`kind = 'payout' and status <> 'paid'`),
      )
      const found = await db.select({ id: payments.id }).from(payments).where(open).limit(1)
      return found.length > 0
    },
    async erase(id, { name, email }) {
      const { deleted, emptied } = rowsOfAccount(id)
      for (const owned of deleted) await remove(owned)
      const [account, ...others] = emptied
      // No e-mail reads like this one, and it is unique.
      const left = { name: deletedName, emailKey: `deleted ${id}`, role: 'user' }
      if (account) await empty(account, left)
      for (const owned of others) await emptyReport(owned)
      await forgetNames([email, name])
    },
    async eraseRequests(ids) {
      const { deleted, emptied } = rowsOfRequests(ids)
      for (const owned of deleted) await remove(owned)
      for (const owned of emptied) await empty(owned)
      const reported = and(
        sql`${disputes.deliveryId} = any(${sql.param(ids)}::uuid[])`,
        eq(disputes.type, 'sender_issue'),
      )
      await emptyReport({ table: disputes, name: 'disputes', where: reported })
      await db.execute(sql`update delivery_search s set text = delivery_search_text(d)
        from deliveries d where d.id = s.id and d.id = any(${sql.param(ids)}::uuid[])`)
    },
    async unnamedPhotos(urls) {
      if (urls.length === 0) return []
      const these = sql`${sql.param([...urls])}::text[]`
      // Each is read once, whatever the number of photos.
      const { rows } = await db.execute<{ url: string }>(sql`
        select item_photo as url from deliveries where item_photo = any(${these})
        union select proof_of_delivery from deliveries where proof_of_delivery = any(${these})
        union select photo from users where photo = any(${these})
        union select id_photo from applications where id_photo = any(${these})
        union select incident ->> 'photo' from deliveries, jsonb_array_elements(incidents) incident
          where incidents <> '[]' and incident ->> 'photo' = any(${these})`)
      const named = new Set(rows.map(({ url }) => url))
      return urls.filter((url) => !named.has(url))
    },
  }
}

/** The columns of a table that hold this of a person. */
function columnsHeld(table: PgTable, name: Owned['name'], held: readonly Held[]) {
  const kinds: Record<string, Held> = personalColumns[name]
  return Object.fromEntries(
    Object.entries(getTableColumns(table)).filter(([key]) => held.includes(kinds[key] ?? 'none')),
  ) as Record<string, PgColumn>
}

function nothingFor({ notNull, dataType }: PgColumn): unknown {
  if (!notNull) return null
  return { number: 0, boolean: false }[dataType as string] ?? ''
}

const asJson = (row: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(JSON.stringify(row))
