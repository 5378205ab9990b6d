import type { Answer } from '#contract/call.ts'
import type { Op } from '#contract/endpoints.ts'
import { keepPage, type PagedList } from '#store/deliveries/admin-pages.ts'
import { mergeFromServer } from '#store/deliveries/save-rows.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { type List, list, second } from './lists.ts'

type ValueOf<O extends Op> = NonNullable<Answer<O>['value']>
type Paging = Pick<ValueOf<'adminDriversWithDetails'>, 'total' | 'next' | 'counts'>
type Kept = { ids: string[] } & Paging

/** How the rows of one page are kept; says which they were. */
type Keep<O extends Op> = (db: SomaDb, account: string, value: ValueOf<O>) => Promise<Kept>

const owned = <T>(account: string, rows: T[]) => rows.map((row) => ({ ...row, account }))
const idsOf = (rows: { ID: string }[]) => rows.map(({ ID }) => ID)

const pages: Record<PagedList, (query: string) => List> = {
  adminDeliveries: page('adminDeliveries', async (db, account, { deliveries, ...rest }) => {
    await mergeFromServer(db, account, deliveries)
    return { ids: idsOf(deliveries), ...rest }
  }),
  adminUsers: page('adminUsers', async (db, account, { users, ...rest }) => {
    await db.users.bulkPut(owned(account, users))
    return { ids: idsOf(users), ...rest }
  }),
  adminDrivers: page('adminDriversWithDetails', async (db, account, { drivers, ...rest }) => {
    await db.drivers.bulkPut(owned(account, drivers))
    return { ids: idsOf(drivers), ...rest }
  }),
  adminDisputes: page('adminDisputes', async (db, account, { disputes, ...rest }) => {
    await db.disputes.bulkPut(owned(account, disputes))
    return { ids: idsOf(disputes), ...rest }
  }),
  adminAudit: page('adminAudit', async (db, account, { entries, ...rest }) => {
    await db.audit.bulkPut(owned(account, entries))
    return { ids: idsOf(entries), ...rest }
  }),
}

const figures: Record<string, () => List> = {
  adminStats: () =>
    list('adminStats', 30 * second, async (db, account, { stats }) => {
      await db.stats.put({ ...stats, account })
    }),
  adminActivities: () =>
    list('adminActivities', 30 * second, async (db, account, { activities }) =>
      replaceOwned(db.activities, account, activities),
    ),
  adminTrends: () =>
    list('adminTrends', 60 * second, async (db, account, { trends }) => {
      await db.trends.put({ ...trends, account })
    }),
}

/** `adminStats`, `adminUsers?search=ama`, `adminUser:<id>`, `adminDispute:<id>` (store: `pageName`). */
export function adminListNamed(name: string): List | undefined {
  const [kind = '', id = ''] = name.split(':', 2)
  if (kind === 'adminUser') return oneUser(id)
  if (kind === 'adminDispute') return oneDispute(id)
  const figure = Object.hasOwn(figures, name) ? figures[name] : undefined
  if (figure) return figure()
  const [named = '', query = ''] = name.split('?', 2)
  return Object.hasOwn(pages, named) ? pages[named as PagedList](query) : undefined
}

function page<O extends Op>(op: O, keep: Keep<O>): (query: string) => List {
  return (query) =>
    list(
      op,
      30 * second,
      async (db, account, value) => {
        const { ids, total = ids.length, next, counts } = await keep(db, account, value)
        const named = op === 'adminDriversWithDetails' ? 'adminDrivers' : op
        await keepPage(db, {
          ...{ account, list: named, query, ids, total, next, counts },
          at: Date.now(),
        })
      },
      { part: true, question: { query: Object.fromEntries(new URLSearchParams(query)) } },
    )
}

const oneUser = (id: string) =>
  list(
    'adminUser',
    30 * second,
    async (db, account, { user, deliveries, application, total = deliveries.length }) => {
      await db.users.put({ ...user, account })
      if (application) await db.drivers.put({ ...application, account })
      await mergeFromServer(db, account, deliveries)
      const ids = [user.ID, ...idsOf(deliveries)]
      await keepPage(db, { account, list: 'adminUser', query: id, ids, total, at: Date.now() })
    },
    { part: true, question: { id } },
  )

const oneDispute = (id: string) =>
  list(
    'adminDispute',
    30 * second,
    async (db, account, { dispute, delivery }) => {
      await db.disputes.put({ ...dispute, account })
      if (delivery) await mergeFromServer(db, account, [delivery])
    },
    { part: true, question: { id } },
  )

type OwnedRows<T> = {
  where: (index: string) => {
    between: (lower: unknown, upper: unknown) => { delete: () => PromiseLike<unknown> }
  }
  bulkPut: (rows: (T & { account: string })[]) => PromiseLike<unknown>
}

async function replaceOwned<T>(table: OwnedRows<T>, account: string, rows: T[]): Promise<void> {
  await table.where('[account+ID]').between([account, ''], [account, '\uffff']).delete()
  await table.bulkPut(rows.map((row) => ({ ...row, account })))
}
