import type { ListRef } from '#sync/lists/list-ref.ts'
import type { Change } from '#sync/model.ts'
import type { DeliveryRow } from '../rows.ts'
import type { SomaDb } from '../soma-db.ts'

/** Which of the lists `among` a change touches (S21). */
export async function affectedLists(
  db: SomaDb,
  account: string,
  change: Change,
  among: ListRef[],
): Promise<ListRef[]> {
  const { about, id } = change
  const row = about === 'delivery' && id ? await db.deliveries.get([account, id]) : undefined
  return affectedBy(change, among, row)
}

/** Pure. `row`: what this phone holds of a delivery that changed. */
function affectedBy(
  { about, id }: Change,
  among: readonly ListRef[],
  row?: DeliveryRow,
): ListRef[] {
  if (about === 'all') return [...among]
  if (about === 'delivery') return among.filter((list) => showsDelivery(list, id, row))
  const kinds = affectedKinds[about] ?? []
  return among.filter(({ kind }) => kinds.includes(kind))
}

/** Kinds of lists, by the subject of a change. */
const affectedKinds: Record<string, string[]> = {
  // With other roads, other jobs are on a way (R164).
  zones: ['zones', 'available'],
  items: ['items'],
  config: ['config', 'adminSettings'],
  offers: ['available'],
  me: ['me', 'driverStatus', 'sent', 'jobs', 'available', 'sessions'],
  users: ['adminStats', 'adminUsers', 'adminUser', 'adminColleagues'],
  drivers: ['adminStats', 'adminDrivers', 'adminUser'],
  activities: ['adminActivities', 'adminStats'],
  disputes: ['adminDisputes', 'adminDispute'],
}

const adminKinds = [
  'adminDeliveries',
  'adminStats',
  'adminActivities',
  'adminTrends',
  'adminUser',
  'adminDispute',
  'adminMoney',
  'adminPayouts',
]

function showsDelivery(list: ListRef, id: string | undefined, row: DeliveryRow | undefined) {
  switch (list.kind) {
    case 'delivery':
      return list.id === id
    case 'sent':
      return !row || row.sentAt !== undefined
    case 'jobs':
      return !row || row.jobAt !== undefined || row.openAt !== undefined
    case 'available':
      return !row || row.openAt !== undefined || row.view.status === 'Pending'
  }
  return adminKinds.includes(list.kind)
}
