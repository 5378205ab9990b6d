import { isUnsent } from '#store/outbox/entry.ts'
import type { DeliveryRow, PendingOperation } from '#store/rows.ts'
import { Tag, type Tone } from '../text/tag.tsx'

/** The latest thing about a row the server has not settled, else nothing. */
export const pendingOperation = (row: DeliveryRow): PendingOperation | undefined =>
  row.marks.findLast((mark) => isUnsent(mark) && mark.op !== 'attachProof')

/** The server has heard it and wants fewer tries: no connection is what it waits for. */
export const isThrottled = (mark: Pick<PendingOperation, 'error'> | undefined): boolean =>
  mark?.error?.reason === 'too-many'

export const refusedOperation = (row: DeliveryRow): PendingOperation | undefined =>
  row.marks.findLast((mark) => mark.state === 'refused')

/** Asked for by this phone, and given to somebody else: what the server had last said of it no longer holds. */
export const isTakenByAnother = (row: DeliveryRow): boolean => {
  const mark = refusedOperation(row)
  return mark?.op === 'acceptDelivery' && mark.error?.reason === 'taken'
}

/** What this phone means to do and nobody has confirmed, in words that claim no more than that. */
const pendingTexts: Partial<Record<PendingOperation['op'], string>> = {
  createDelivery: 'Waiting on this phone',
  createGuestDelivery: 'Waiting on this phone',
  acceptDelivery: 'Requesting…',
  pickUpDelivery: 'Picked Up, not sent yet',
  completeDelivery: 'Code saved',
  approveDelivery: 'Approval saved',
  cancelDelivery: 'Cancelling…',
}

const tones: Record<DeliveryRow['view']['status'], Tone> = {
  Pending: 'green',
  Accepted: 'gold',
  'Picked Up': 'gold',
  Delivered: 'green',
  Approved: 'green',
  Cancelled: 'clay',
}

/** Where a delivery stands: the server's word, or what waits on this phone. */
export function StatusTag({ row }: { row: DeliveryRow }) {
  const pending = pendingOperation(row)
  const waiting = pending && pendingTexts[pending.op]
  if (waiting) return <Tag tone="gold">{waiting}</Tag>
  if (!row.known) return <Tag tone="clay">Not sent</Tag>
  if (isTakenByAnother(row)) return <Tag tone="clay">Taken</Tag>
  return <Tag tone={tones[row.view.status]}>{row.view.status}</Tag>
}
