import type { DeliveryRow } from '../rows.ts'
import type { OutboxSummary } from './queries.ts'
import type { DeliveryUnderWay } from './under-way.ts'

/**
 * How many things wait for this person: refused entries that they can fix, what cannot be read, and deliveries of theirs
 * that were handed over or brought back and that they have not confirmed.
 */
export function needsPerson(
  { refused, declined, quarantined }: Pick<OutboxSummary, 'refused' | 'declined' | 'quarantined'>,
  underWay: readonly DeliveryUnderWay[],
): number {
  const waiting = underWay.filter(({ row, as }) => as === 'sender' && row && waitsForSender(row))
  return refused - declined + quarantined + waiting.length
}

/** What they have confirmed and is not sent yet waits for the network, not for them. */
const waitsForSender = ({ view, active }: DeliveryRow): boolean =>
  active === 'delivery' &&
  (view.status === 'Delivered' || (view.status === 'Picked Up' && view.returning !== undefined))
