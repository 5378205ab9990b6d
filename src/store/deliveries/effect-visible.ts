import type { Delivery, Status } from '#domain/deliveries/delivery.ts'
import type { OperationName } from '#operations/index.ts'
import type { Entry } from './operations.ts'

/*
 * Whether the server has done what an entry asks, as far as its row shows (S75). Pure.
 */

/** The status each operation brings about. */
const statusAfter: Partial<Record<OperationName, Status>> = {
  acceptDelivery: 'Accepted',
  pickUpDelivery: 'Picked Up',
  completeDelivery: 'Delivered',
  approveDelivery: 'Approved',
  cancelDelivery: 'Cancelled',
}

/** Statuses that a delivery can only reach through this one. */
const beyond: Partial<Record<Status, Status[]>> = {
  Accepted: ['Picked Up', 'Delivered', 'Approved'],
  'Picked Up': ['Delivered', 'Approved'],
  Delivered: ['Approved'],
}

/** Operations that the row shows by more than its status. */
const shownOtherwise: Partial<Record<OperationName, (entry: Entry, row: Delivery) => boolean>> = {
  contestPickUp: (_, { contested }) => contested === true,
  releaseJob: ({ account }, { driver }) => driver?.id !== account,
  reportAttempt: (entry, row) => isIncident(entry, row, 'attempt'),
  startReturn: (entry, row) => isIncident(entry, row, 'return'),
  confirmReturn: (_, { outcome }) => outcome === 'returned',
  rateDelivery: (entry, { driver, ratings }) => {
    const given = ratings?.[driver?.id === entry.account ? 'driver' : 'sender']
    // Another rating, given on another phone, is not the one that was asked for.
    return given?.stars === (entry as Entry<'rateDelivery'>).input.stars
  },
}

const isIncident = ({ occurredAt }: Entry, { incidents = [] }: Delivery, kind: string): boolean =>
  incidents.some(
    (each) =>
      each.kind === kind && Date.parse(each.occurredAt ?? each.at) === Date.parse(occurredAt),
  )

/** `photoUrl`: where the provider keeps the entry's photo, if it has it. */
export function isEffectVisible(
  entry: Entry,
  row: Delivery,
  photoUrl: string | undefined,
): boolean {
  if (entry.op === 'attachProof') return photoUrl !== undefined && row.proofOfDelivery === photoUrl
  const shown = shownOtherwise[entry.op]
  if (shown) return shown(entry, row)
  const status = statusAfter[entry.op]
  if (status === undefined) return false
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
