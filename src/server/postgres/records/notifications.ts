import { and, asc, desc, eq, exists, inArray, lt, lte, not, or, type SQL, sql } from 'drizzle-orm'
import type {
  Addressee,
  Notifications,
  StoredNotification,
} from '../../ports/stores/notification-store.ts'
import type { Db } from '../db.ts'
import { insertOf } from '../prepared.ts'
import {
  deliveries,
  guestTokens,
  notifications,
  sessions,
  subscriptions,
  users,
} from '../tables.ts'

type Row = typeof notifications.$inferSelect

/** The most browsers of one person or guest that are notified, the newest first: each costs a request (R117). */
const mostBrowsers = 20

const addresseeOf = ({ audience, userId }: Row): Addressee =>
  audience === 'user' ? { user: userId ?? '' } : audience

const toNotification = (row: Row): StoredNotification => ({
  id: row.id,
  kind: row.kind,
  to: addresseeOf(row),
  deliveryId: row.deliveryId ?? undefined,
  at: row.at.toISOString(),
  dueAt: row.dueAt.toISOString(),
  tries: row.tries,
  remaining: row.remaining ?? undefined,
  smsAt: row.smsAt?.toISOString(),
})

/** Subscriptions, and messages that wait to be sent. */
export function notificationsOver(db: Db): Notifications {
  const shown = {
    id: subscriptions.id,
    endpoint: subscriptions.endpoint,
    p256dh: subscriptions.p256dh,
    auth: subscriptions.auth,
  }
  /** Of the person of the statement around it. */
  const isSubscribed = db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .innerJoin(sessions, eq(sessions.hash, subscriptions.session))
    .where(eq(sessions.userId, users.id))
  const insert = insertOf(db, notifications, [
    'id',
    'kind',
    'audience',
    'userId',
    'deliveryId',
    'at',
    'dueAt',
    'tries',
    'remaining',
    'smsAt',
  ])
  return {
    async subscribe({ id, endpoint, p256dh, auth, owner }, at) {
      const row = { id, endpoint, p256dh, auth, at: new Date(at), session: null, guest: null }
      if ('session' in owner) {
        // Who was logged in here before no longer gets notifications (R117).
        const others = sql`${subscriptions.session} <> ${owner.session}`
        await db.delete(subscriptions).where(and(eq(subscriptions.endpoint, endpoint), others))
      }
      const change = { endpoint, p256dh, auth, at: row.at }
      const target = 'session' in owner ? subscriptions.session : subscriptions.guest
      await db
        .insert(subscriptions)
        .values({ ...row, ...owner })
        .onConflictDoUpdate({ target, set: change })
    },
    async unsubscribe(owner) {
      const isTheirs =
        'session' in owner
          ? eq(subscriptions.session, owner.session)
          : eq(subscriptions.guest, owner.guest)
      await db.delete(subscriptions).where(isTheirs)
    },
    async subscriptionsOf(to) {
      if ('user' in to)
        return db
          .select(shown)
          .from(subscriptions)
          .innerJoin(sessions, eq(sessions.hash, subscriptions.session))
          .where(eq(sessions.userId, to.user))
          .orderBy(desc(subscriptions.at))
          .limit(mostBrowsers)
      return db
        .select(shown)
        .from(subscriptions)
        .innerJoin(guestTokens, eq(guestTokens.hash, subscriptions.guest))
        .where(eq(guestTokens.deliveryId, to.guestOf))
        .orderBy(desc(subscriptions.at))
        .limit(mostBrowsers)
    },
    async endSubscriptions(endpoint) {
      await db.delete(subscriptions).where(eq(subscriptions.endpoint, endpoint))
    },
    async add({ to, at, dueAt, smsAt, deliveryId = null, remaining = null, ...rest }) {
      const row = {
        ...rest,
        deliveryId,
        remaining,
        audience: typeof to === 'string' ? to : 'user',
        userId: typeof to === 'string' ? null : to.user,
        at: new Date(at),
        dueAt: new Date(dueAt),
        smsAt: smsAt === undefined ? null : new Date(smsAt),
      } as const
      await insert(row)
    },
    async addForOffice({ kind, at, deliveryId = null, except = null }) {
      await db.write(
        db.execute(sql`insert into ${notifications} (id, kind, audience, user_id, delivery_id, at, due_at)
          select gen_random_uuid(), ${kind}, 'user', ${users.id}, ${deliveryId}::uuid, ${at}::timestamptz, ${at}::timestamptz
          from ${users} where ${users.role} = 'admin' and ${users.id} is distinct from ${except}::uuid
            and ${exists(isSubscribed)}`),
      )
    },
    async subscriptionsOfOffice(kind) {
      return db
        .select(shown)
        .from(subscriptions)
        .innerJoin(sessions, eq(sessions.hash, subscriptions.session))
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(
          and(
            eq(users.role, 'admin'),
            sql`not coalesce(${users.notifications} -> 'off' @> to_jsonb(${kind}::text), false)`,
          ),
        )
    },
    async take(at, limit, until) {
      // Locked first, as unused photos are.
      const due = await db
        .select({ id: notifications.id })
        .from(notifications)
        .where(lte(notifications.dueAt, new Date(at)))
        .orderBy(asc(notifications.dueAt))
        .limit(limit)
        .for('update', { skipLocked: true })
      if (due.length === 0) return []
      const ids = due.map(({ id }) => id)
      const rows = await db
        .update(notifications)
        .set({ dueAt: new Date(until), tries: sql`${notifications.tries} + 1` })
        .where(inArray(notifications.id, ids))
        .returning()
      return rows.map(toNotification).sort((a, b) => (a.at < b.at ? -1 : 1))
    },
    async change(id, { dueAt, tries, remaining, smsAt }) {
      await db
        .update(notifications)
        .set({
          dueAt: new Date(dueAt),
          tries,
          remaining,
          smsAt: smsAt === undefined ? undefined : new Date(smsAt),
        })
        .where(eq(notifications.id, id))
    },
    async remove(id) {
      const removed = await db
        .delete(notifications)
        .where(eq(notifications.id, id))
        .returning({ id: notifications.id })
      return removed.length > 0
    },
    async removeAll(ids) {
      if (ids.length === 0) return
      await db
        .delete(notifications)
        .where(sql`${notifications.id} = any(${sql.param(ids)}::uuid[])`)
    },
    async removeOf(kind, deliveryId) {
      const ofThese = and(eq(notifications.kind, kind), eq(notifications.deliveryId, deliveryId))
      await db.write(db.delete(notifications).where(ofThese))
    },
    async driversFor({ ways, departures, day }, limit) {
      // PostgreSQL hashes the array: the number of ways costs nothing.
      const isOneOf = (from: SQL, to: SQL) =>
        sql`${from} || chr(10) || ${to} = any(${sql.param(ways.map((way) => `${way.from}\n${way.to}`))}::text[])`
      const isLeft = (time: SQL) =>
        or(
          ...departures.map(
            (span) =>
              sql`(days @> to_jsonb(${span.day}::int) and ${time} between ${span.first} and ${span.last})`,
          ),
        )
      const isUntimed = sql`num_nonnulls(leaves, returns) = 0 and days @> to_jsonb(${day}::int)`
      const [from, to] = [sql`commute."from"`, sql`commute."to"`]
      const isTold = sql`exists (
        select from jsonb_to_recordset(${users.commutes}) as
          commute("from" text, "to" text, days jsonb, leaves text, returns text, notify boolean)
        where notify and (
          (${isOneOf(from, to)} and (${isUntimed} or ${isLeft(sql`leaves`)}))
          or (${isOneOf(to, from)} and ${isLeft(sql`returns`)})))`
      const drives = and(
        eq(deliveries.driverId, users.id),
        inArray(deliveries.status, ['Accepted', 'Picked Up']),
      )
      const rows = await db
        .select({ id: users.id })
        .from(users)
        .where(
          and(
            eq(users.driverStatus, 'approved'),
            eq(users.verified, true),
            isTold,
            exists(isSubscribed),
            not(exists(db.select({ id: deliveries.id }).from(deliveries).where(drives))),
          ),
        )
        // Random, so that every driver hears of some jobs.
        .orderBy(sql`random()`)
        .limit(limit)
      return rows.map(({ id }) => id)
    },
    async sweep(before) {
      await db.delete(notifications).where(lt(notifications.at, new Date(before)))
    },
  }
}
