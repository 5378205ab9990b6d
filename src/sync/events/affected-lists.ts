import type { DeliveryRow } from '#store/rows.ts'

/** Something that changed, as the server names it; `all`: whatever may have changed. */
export type Change = { about: string; id?: string }

/** Which of the lists `among` a change touches. `row`: what this phone holds of a delivery. Pure. */
export function touchedBy(change: Change, among: readonly string[], row?: DeliveryRow): string[] {
  const { about, id } = change
  if (about === 'all') return [...among]
  if (about === 'delivery') return among.filter((name) => showsDelivery(name, id, row))
  const exact = lists[about] ?? []
  const begins = pages[about] ?? []
  return among.filter(
    (name) => exact.includes(name) || begins.some((begin) => name.startsWith(begin)),
  )
}

const lists: Record<string, string[]> = {
  zones: ['zones'],
  items: ['items'],
  me: ['me', 'driverStatus', 'sent', 'jobs', 'available', 'sessions'],
  users: ['adminStats'],
  drivers: ['adminStats'],
  activities: ['adminActivities', 'adminStats'],
}

/** An admin's lists are asked for page by page, and one thing by its ID. */
const pages: Record<string, string[]> = {
  users: ['adminUsers', 'adminUser:'],
  drivers: ['adminDrivers', 'adminUser:'],
  disputes: ['adminDisputes', 'adminDispute:'],
}

function showsDelivery(name: string, id: string | undefined, row: DeliveryRow | undefined) {
  if (name.startsWith('delivery:')) return name === `delivery:${id}`
  switch (name) {
    case 'sent':
      return !row || row.sentAt !== undefined
    case 'jobs':
      return !row || row.jobAt !== undefined || row.openAt !== undefined
    case 'available':
      return !row || row.openAt !== undefined || row.view.status === 'Pending'
  }
  return /^admin(Deliveries|Stats|Activities|Trends|User:|Dispute:)/.test(name)
}
