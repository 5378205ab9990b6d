import type { Read } from '#contract/reads.ts'
import { putState } from '#sync/database/device/state.ts'
import type { ListRef } from '#sync/lists/list-ref.ts'
import type { PagedList } from '../deliveries/save/admin-pages.ts'
import {
  owned,
  saveAdminDispute,
  saveAdminPage,
  saveAdminUser,
} from '../deliveries/save/admin-rows.ts'
import { ofAccount } from '../session.ts'
import { type List, list, second } from './lists.ts'

const figures: Record<string, List> = {
  adminStats: list('adminStats', 30 * second, (db, { stats }, { account }) =>
    db.stats.put({ ...stats, account }),
  ),
  adminActivities: list('adminActivities', 30 * second, async (db, { activities }, { account }) => {
    await ofAccount(db.activities, 'ID', account).delete()
    await db.activities.bulkPut(owned(account, activities))
  }),
  adminSettings: list('adminSettings', 60 * second, (db, { settings }) =>
    putState(db, 'officeSettings', settings),
  ),
  adminColleagues: list('adminColleagues', 30 * second, (db, value, { account }) =>
    putState(db, `colleagues:${account}`, value),
  ),
  adminTrends: list('adminTrends', 60 * second, (db, { trends }, { account }) =>
    db.trends.put({ ...trends, account }),
  ),
}

/** The call of each list that comes page by page. */
const pages = {
  adminDeliveries: 'adminDeliveries',
  adminUsers: 'adminUsers',
  adminDrivers: 'adminDriversWithDetails',
  adminDisputes: 'adminDisputes',
  adminAudit: 'adminAudit',
  adminPayouts: 'adminPayouts',
} as const satisfies Record<PagedList, Read>

/** An admin's figures, pages of lists, one user or one dispute; nothing for other kinds. */
export function adminList({ kind, id, query = '' }: ListRef): List | undefined {
  if (kind === 'adminUser' && id !== undefined) return oneUser(id)
  if (kind === 'adminDispute' && id !== undefined) return oneDispute(id)
  if (kind === 'adminDevice' && id !== undefined) return oneDevice(id)
  if (kind === 'adminMoney') return money(query)
  if (kind === 'adminSearch') return search(query)
  if (Object.hasOwn(figures, kind)) return figures[kind]
  return Object.hasOwn(pages, kind) ? page(kind as PagedList, query) : undefined
}

const page = (kind: PagedList, query: string): List =>
  list(
    pages[kind],
    30 * second,
    (db, value, { response }) => saveAdminPage(db, { list: kind, query }, value, response),
    { withoutDelta: true, question: { query: Object.fromEntries(new URLSearchParams(query)) } },
  )

/** What the search over everything finds (R186), stored as a page; zones are held anyway. */
const search = (query: string): List =>
  list(
    'adminSearch',
    30 * second,
    (db, { people, deliveries, disputes }, { response }) =>
      saveAdminPage(
        db,
        { list: 'adminSearch', query },
        { users: people, deliveries, disputes },
        response,
      ),
    { withoutDelta: true, question: { query: { q: new URLSearchParams(query).get('q') ?? '' } } },
  )

/** The figures, with the days that the query names. */
const money = (query: string): List =>
  list(
    'adminMoney',
    60 * second,
    (db, figures, { account }) => db.money.put({ ...figures, account }),
    { withoutDelta: true, question: { query: Object.fromEntries(new URLSearchParams(query)) } },
  )

const oneUser = (id: string): List =>
  list(
    'adminUser',
    30 * second,
    (db, value, { response }) => saveAdminUser(db, id, value, response),
    {
      withoutDelta: true,
      question: { id },
    },
  )

const oneDevice = (code: string): List =>
  list(
    'adminDevice',
    30 * second,
    (db, { device }, { account }) => db.devices.put({ ...device, account }),
    { withoutDelta: true, question: { id: code } },
  )

const oneDispute = (id: string): List =>
  list(
    'adminDispute',
    30 * second,
    (db, value, { response }) => saveAdminDispute(db, value, response),
    { withoutDelta: true, question: { id } },
  )
