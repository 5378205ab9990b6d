import type { Delivery, Status } from '#domain/deliveries/delivery.ts'
import { operations } from '#operations/index.ts'
import type { DeliveryRule } from '#operations/operation.ts'
import type { Entry } from './operations.ts'

/*
 * Whether the server has done what an entry asks, as far as its row shows (S75). Pure.
 */

/** Statuses that a delivery can only reach through this one. */
const beyond: Partial<Record<Status, Status[]>> = {
  Accepted: ['Picked Up', 'Delivered', 'Approved'],
  'Picked Up': ['Delivered', 'Approved'],
  Delivered: ['Approved'],
}

/** `photoUrl`: where the provider keeps the entry's photo, if it has it. */
export function isEffectVisible(
  entry: Entry,
  row: Delivery,
  photoUrl: string | undefined,
): boolean {
  if (entry.op === 'attachProof') return photoUrl !== undefined && row.proofOfDelivery === photoUrl
  const { reaches, isVisible } = operations[entry.op] as Partial<DeliveryRule>
  if (!reaches && !isVisible) return false
  return (!reaches || hasReached(entry, row, reaches)) && (!isVisible || isVisible(row, entry))
}

function hasReached(entry: Entry, row: Delivery, status: Status): boolean {
  if (isInHistory(entry, row, status)) return true
  const isThere = row.status === status || (beyond[status] ?? []).includes(row.status)
  return isThere && (entry.op !== 'acceptDelivery' || row.driver?.id === entry.account)
}

const isInHistory = ({ occurredAt }: Entry, { history = [] }: Delivery, status: Status): boolean =>
  history.some(
    (change) =>
      change.status === status &&
      change.occurredAt !== undefined &&
      Date.parse(change.occurredAt) === Date.parse(occurredAt),
  )
