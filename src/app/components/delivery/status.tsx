import type { Status } from '#domain/deliveries/delivery.ts'
import { isUnpaid } from '#domain/deliveries/payment.ts'
import { isDeclined } from '#store/entries/declined.ts'
import type { DeliveryRow, PendingOperation } from '#store/rows.ts'
import { isUnsent } from '#sync/database/entry.ts'
import { Tag, type Tone } from '../text/tag.tsx'

/** Operations that change no status; screens show them where they were done. */
const besides: string[] = ['attachProof', 'rateDelivery']

/** The row's latest pending operation that changes the delivery itself, if any. */
export const pendingOperation = (row: DeliveryRow): PendingOperation | undefined =>
  row.marks.findLast((mark) => isUnsent(mark) && !besides.includes(mark.op))

/** Whether the server answered with 429: the operation waits for time to pass, not for a connection. */
export const isThrottled = (mark: Pick<PendingOperation, 'error'> | undefined): boolean =>
  mark?.error?.reason === 'too-many'

/** Whether no requests are taken for now (R205): this one goes by itself when they are again (S88). */
export const isPaused = (mark: Pick<PendingOperation, 'error'> | undefined): boolean =>
  mark?.error?.reason === 'paused'

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

/** The colour of each status, in tags, charts and the timeline. */
const statusTones: Record<Status, Tone> = {
  Pending: 'gold',
  Accepted: 'teal',
  'Picked Up': 'clay',
  Delivered: 'green',
  Approved: 'approved',
  Cancelled: 'plain',
}

/** The delivery's state in one word: what needs the person, what is not sent yet, else its status. */
export function StatusTag({ row }: { row: DeliveryRow }) {
  const pending = pendingOperation(row)
  if (pending?.withdrawal === 'unknown') return <Tag tone="gold">It may have arrived</Tag>
  if (pending) return <Tag tone="unsent">{pending.withdrawal ? 'Cancelling…' : 'Not sent yet'}</Tag>
  if (isTakenByAnother(row)) return <Tag tone="plain">Not available</Tag>
  const refused = refusedOperation(row)
  if (refused && !isDeclined(refused)) return <Tag tone="red">Action needed</Tag>
  if (isUnpaid(row.view)) return <Tag tone="unsent">Not paid yet</Tag>
  return <Tag tone={statusTones[row.view.status]}>{row.view.status}</Tag>
}
