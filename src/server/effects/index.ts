import { acceptDelivery } from './accept-delivery.ts'
import { completeDelivery } from './check-handover.ts'
import { renewCode, startReturn } from './codes.ts'
import { contestPickUp } from './contest-pick-up.ts'
import { type DeliveryCall, type Effect, effect } from './effect.ts'
import { assignDriver } from './office/assign-driver.ts'
import { correctDelivery } from './office/correct-delivery.ts'
import { refundDelivery } from './office/refund-delivery.ts'
import { raiseOffer } from './raise-offer.ts'
import { rateDelivery } from './rate-delivery.ts'
import { releaseJob } from './release-job.ts'
import { reportAttempt } from './report-attempt.ts'
import { reportUnpaid } from './report-unpaid.ts'

/** What the server does for each operation beside its rule. */
export const effects: { [O in DeliveryCall]: Effect<O> } = {
  raiseOffer,
  acceptDelivery,
  completeDelivery,
  acknowledgeCancel: {},
  releaseJob,
  reportAttempt,
  reportUnpaid,
  startReturn,
  contestPickUp,
  confirmReturn: effect({ terms: async ({ ports }) => ports.options.endings }),
  renewCode,
  rateDelivery,
  assignDriver,
  correctDelivery,
  refundDelivery,
}
