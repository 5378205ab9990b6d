import { isActiveDelivery } from '#domain/deliveries/delivery.ts'
import { paidToDriver } from '#domain/deliveries/payment.ts'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { holdsWords } from '#domain/fold.ts'
import { toCedis } from '#domain/money.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { monthOf } from '../../texts/time.ts'

/** `paid`: what the drivers of these deliveries got, in cedis. */
export type Group = { title: string; rows: DeliveryRow[]; paid: number }

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
  return [...groups].map(([title, found]) => ({ title, rows: found, paid: paidFor(found) }))
}

const paidFor = (rows: readonly DeliveryRow[]) =>
  toCedis(
    rows.reduce((sum, { view }) => sum + (isActiveDelivery(view) ? 0 : paidToDriver(view)), 0),
  )

const isUnderWay = ({ active, known }: DeliveryRow) => active !== undefined || !known

/** Whether a delivery has each word of the text somewhere: in its item, zones, people, status or reference. */
export const matches = ({ ID, view }: DeliveryRow, search: string): boolean =>
  holdsWords(search, [
    view.itemDescription,
    view.pickupZone,
    view.dropoffZone,
    view.recipientName,
    view.driver?.name,
    view.sender?.name ?? view.senderName,
    view.status,
    referenceOf(ID),
  ])
