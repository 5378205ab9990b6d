import { type Answer, call, type Question } from '#contract/call.ts'
import type { Op } from '#contract/endpoints.ts'
import type { Delivery } from '#domain/delivery.ts'
import { isApprovedDriver, type User } from '#domain/user.ts'
import type { DeliveryRow, SomaDb } from '#store/db.ts'
import { receive, removeAll } from '#store/rows.ts'

/** What one pull is asked with and how its answer is kept. */
export type List = {
  op: Op
  /** Milliseconds between two pulls while it is looked at (spec §9 where it names one). */
  every: number
  question?: Question
  /** Every page of it is pulled; of other lists only the first. */
  whole?: true
  /** Asked for as it is, never by what changed: one page of a list, or one thing. */
  part?: true
  /** Kept once for the whole device, whoever is logged in. */
  shared?: true
  /** Runs inside the pull's transaction, with the parsed answer. */
  keep: (db: SomaDb, account: string, value: never, question: Question) => Promise<void>
}

type ValueOf<O extends Op> = NonNullable<Answer<O>['value']>

export const list = <O extends Op>(
  op: O,
  every: number,
  keep: (db: SomaDb, account: string, value: ValueOf<O>, question: Question) => Promise<void>,
  more: Pick<List, 'question' | 'shared' | 'whole' | 'part'> = {},
): List => ({ op, every, keep: keep as List['keep'], ...more })

type Many = { deliveries: Delivery[]; removed?: string[]; next?: string }

/** A list of deliveries: a delta names what left; a full answer leaves out what is no longer in it. */
const deliveries =
  (by: 'sentAt' | 'jobAt' | 'openAt') =>
  async (db: SomaDb, account: string, value: Many): Promise<void> => {
    await receive(db, account, value.deliveries)
    await removeAll(db, account, await leftOf(db, account, by, value))
  }

async function leftOf(
  db: SomaDb,
  account: string,
  by: 'sentAt' | 'jobAt' | 'openAt',
  { deliveries: rows, removed, next }: Many,
): Promise<string[]> {
  const held = (row: DeliveryRow | undefined) => row?.[by] !== undefined && row.known
  if (removed) {
    const named = await db.deliveries.bulkGet(removed.map((id): [string, string] => [account, id]))
    return named.flatMap((row) => (row && held(row) ? [row.ID] : []))
  }
  // Only a part of the list was asked for: it says nothing of the rest.
  if (next) return []
  const there = new Set(rows.map(({ ID }) => ID))
  const mine = await db.deliveries
    .where(`[account+${by}]`)
    .between([account, ''], [account, '\uffff'])
    .toArray()
  return mine.flatMap((row) => (held(row) && !there.has(row.ID) ? [row.ID] : []))
}

export const second = 1_000
const hour = 3_600 * second

/** Every list a device may hold, by the name screens watch it under. */
const lists: Record<string, List> = {
  me: list('me', 30 * second, async (db, account, { user }) => {
    await db.sessions
      .where('key')
      .equals('current')
      .modify((session) => {
        if (session.account === account) Object.assign(session, { user, expired: undefined })
      })
  }),
  driverStatus: list('driverStatus', 30 * second, async (db, account, { status }) => {
    await db.sessions
      .where('key')
      .equals('current')
      .modify((session) => {
        if (session.account === account) session.user.driverStatus = status
      })
  }),
  sent: list('senderDeliveries', 10 * second, deliveries('sentAt'), { whole: true }),
  jobs: list('driverDeliveries', 10 * second, deliveries('jobAt'), {
    question: { query: { include_completed: 'true' } },
    whole: true,
  }),
  available: list('availableDeliveries', 10 * second, deliveries('openAt'), { whole: true }),
  zones: list('zones', hour, async (db, _, { zones }) => replace(db.zones, zones), {
    shared: true,
  }),
  items: list('items', hour, async (db, _, { items }) => replace(db.items, items), {
    shared: true,
  }),
  config: list(
    'config',
    hour,
    async (db, _, config) => {
      await db.meta.put({ key: 'config', value: config })
    },
    { shared: true },
  ),
}

/** The list of that name; `delivery:<id>` is the one delivery of a room. */
export function listNamed(name: string): List | undefined {
  const id = name.startsWith('delivery:') ? name.slice('delivery:'.length) : undefined
  if (id === undefined) return lists[name]
  return list(
    'getDelivery',
    10 * second,
    async (db, account, { delivery }) => {
      await receive(db, account, [delivery])
      await db.meta.delete(`gone:${account}:${id}`)
    },
    { question: { id } },
  )
}

/** Lists worth having before any screen asks: what the person would miss on the road. */
export function standing(user: User | undefined): string[] {
  if (!user || user.role === 'admin') return []
  if (user.role !== 'driver') return ['sent']
  const driving = isApprovedDriver(user) ? ['jobs', 'available'] : []
  return ['driverStatus', 'sent', ...driving]
}

export const shared = ['config', 'zones', 'items']

/** Makes the call a list stands for. */
export const askFor = (
  { op }: List,
  ...[transport, base, question]: [Parameters<typeof call>[0], string, Question]
): Promise<Answer<Op>> => call(transport, base, op, question)

type Rows<T> = {
  clear: () => PromiseLike<void>
  bulkPut: (rows: T[]) => PromiseLike<unknown>
}

async function replace<T>(table: Rows<T>, rows: T[]): Promise<void> {
  await table.clear()
  await table.bulkPut(rows)
}
