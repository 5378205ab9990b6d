import { isUnsent } from '#store/outbox/entry.ts'
import type { DeliveryRow, PendingOperation } from '#store/rows.ts'
import { Tag, type Tone } from '../text/tag.tsx'

/** The row's latest pending operation, if any. A proof photo does not count: it changes no status. */
export const pendingOperation = (row: DeliveryRow): PendingOperation | undefined =>
  row.marks.findLast((mark) => isUnsent(mark) && mark.op !== 'attachProof')

/** Whether the server answered with 429: the operation waits for time to pass, not for a connection. */
export const isThrottled = (mark: Pick<PendingOperation, 'error'> | undefined): boolean =>
  mark?.error?.reason === 'too-many'

export const refusedOperation = (row: DeliveryRow): PendingOperation | undefined =>
  row.marks.findLast((mark) => mark.state === 'refused')

/**
 * Whether another driver got the job that this device asked for (R24). The row's last known server state is
 * then outdated.
 */
export const isTakenByAnother = (row: DeliveryRow): boolean => {
  const mark = refusedOperation(row)
  return mark?.op === 'acceptDelivery' && mark.error?.reason === 'taken'
}

/** The server had it, and was restored from a backup without it (S54). */
const isLost = (row: DeliveryRow): boolean => refusedOperation(row)?.error?.reason === 'lost'

/** Status texts of operations that the server has not confirmed. */
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

/** The delivery's status: the pending operation's, else the server's. */
export function StatusTag({ row }: { row: DeliveryRow }) {
  const pending = pendingOperation(row)
  const waiting = pending && (pending.takingBack ? 'Asking…' : pendingTexts[pending.op])
  if (waiting) return <Tag tone="gold">{waiting}</Tag>
  if (!row.known) return <Tag tone="clay">{isLost(row) ? 'Not on the server' : 'Not sent'}</Tag>
  if (isTakenByAnother(row)) return <Tag tone="clay">Taken</Tag>
  return <Tag tone={tones[row.view.status]}>{row.view.status}</Tag>
}
