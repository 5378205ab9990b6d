import { referenceOf } from '#domain/deliveries/reference.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { monthOf } from '../../texts/time.ts'

export type Group = { title: string; rows: DeliveryRow[] }

/** What is under way first, then the rest by the month in which it was requested, in the order of `rows`. */
export function groupByMonth(rows: readonly DeliveryRow[]): Group[] {
  const groups = new Map<string, DeliveryRow[]>()
  const active = rows.filter(isUnderWay)
  if (active.length > 0) groups.set('Active', active)
  for (const row of rows) {
    if (isUnderWay(row)) continue
    const title = monthOf(row.view.createdAt)
    groups.set(title, [...(groups.get(title) ?? []), row])
  }
  return [...groups].map(([title, found]) => ({ title, rows: found }))
}

const isUnderWay = ({ active, known }: DeliveryRow) => active !== undefined || !known

/** Whether a delivery has the text somewhere: item, zones, people or its reference. */
export function matches({ ID, view }: DeliveryRow, search: string): boolean {
  const sought = search.trim().toLowerCase()
  const texts = [
    view.itemDescription,
    view.pickupZone,
    view.dropoffZone,
    view.recipientName,
    view.driver?.name,
    view.sender?.name ?? view.senderName,
    view.status,
    referenceOf(ID),
  ]
  return texts.some((text) => text?.toLowerCase().includes(sought))
}
