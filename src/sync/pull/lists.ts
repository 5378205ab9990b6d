import { type Answer, call, type Question } from '#contract/call.ts'
import type { Op } from '#contract/endpoints.ts'
import { isApprovedDriver, type User } from '#domain/user.ts'
import type { SomaDb } from '#store/soma-db.ts'

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
  keep: Keep<never>
}

/** A list that comes in several pages, one after another. */
export type Pages = {
  /** IDs of the pages kept before. */
  seen: Set<string>
  /** Primary keys of what was held of the list when its first page came: nothing else can be missing from it. */
  held?: readonly [string, string][]
}

type Keep<T> = (
  db: SomaDb,
  account: string,
  value: T,
  question: Question,
  pages: Pages,
) => Promise<void>

type ValueOf<O extends Op> = NonNullable<Answer<O>['value']>

export const list = <O extends Op>(
  op: O,
  every: number,
  keep: Keep<ValueOf<O>>,
  more: Pick<List, 'question' | 'shared' | 'whole' | 'part'> = {},
): List => ({ op, every, keep: keep as List['keep'], ...more })

export const second = 1_000
const hour = 3_600 * second

/** What everybody needs, by the name screens watch it under. */
const lists: Record<string, List> = {
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

export const listNamed = (name: string): List | undefined => lists[name]

/** Lists worth having before any screen asks: what the person would miss on the road. */
export function standing(user: User | undefined): string[] {
  if (!user || user.role === 'admin') return []
  if (user.role !== 'driver') return ['sent']
  const driving = isApprovedDriver(user) ? ['jobs', 'available'] : ['jobs']
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
