import { referenceOf } from '#domain/deliveries/reference.ts'
import { fold } from '#domain/fold.ts'
import { toCedis } from '#domain/money.ts'
import { tallyOf } from '#domain/payouts/earnings.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { monthOf } from '../../texts/time.ts'
import { earnedOf } from './earnings/job-earnings.ts'

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
    const group = groups.get(title)
    if (group) group.push(row)
    else groups.set(title, [row])
  }
  return [...groups].map(([title, found]) => ({ title, rows: found, paid: paidFor(found) }))
}

const paidFor = (rows: readonly DeliveryRow[]) =>
  toCedis(tallyOf(rows.flatMap((row) => earnedOf(row) ?? [])).paid)

const isUnderWay = ({ active, known }: DeliveryRow) => active !== undefined || !known

/** A test of whether a delivery has each word of the text somewhere: in its item, zones, people, status or reference. */
export function searchFor(text: string): (row: DeliveryRow) => boolean {
  const words = fold(text.trim()).split(/\s+/)
  return (row) => {
    const searched = searchedText(row)
    return words.every((word) => searched.includes(word))
  }
}

/** Folded once, however much is typed: 2,000 rows would take a cheap phone longer than a keystroke. */
const searchedTexts = new WeakMap<DeliveryRow, string>()

function searchedText(row: DeliveryRow): string {
  const known = searchedTexts.get(row)
  if (known !== undefined) return known
  const { ID, view } = row
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
  const text = fold(texts.join('\n'))
  searchedTexts.set(row, text)
  return text
}
