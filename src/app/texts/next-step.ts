import type { DeliveryRow } from '#store/rows.ts'
import { isUnsent } from '#sync/database/entry.ts'
import { driverStep } from './steps/driver-step.ts'
import { senderStep } from './steps/sender-step.ts'
import type { NextStep } from './steps/step.ts'
import { lateStep, pendingStep, refusedStep } from './steps/unsent-step.ts'

export type { NextStep } from './steps/step.ts'
export { notConfirmed, saidOfUnsent, type Unsent, waitsForSignal } from './steps/unsent-step.ts'

/** What is sent beside the steps of a delivery, and changes none of them. */
const besides: string[] = ['attachProof', 'rateDelivery']

/** The next step of a delivery for its sender or its driver, as far as this phone knows. */
export function nextStep(row: DeliveryRow, as: 'sender' | 'driver'): NextStep {
  const pending = row.marks.findLast((mark) => isUnsent(mark) && !besides.includes(mark.op))
  if (pending && as === 'driver' && row.view.status === 'Cancelled') return lateStep(row, pending)
  if (pending) return pendingStep(row, pending)
  const refused = row.marks.findLast(({ state }) => state === 'refused')
  if (refused) return refusedStep(row, refused, as)
  return as === 'driver' ? driverStep(row) : senderStep(row)
}
