import type * as z from 'zod/mini'
import { changeNotificationsBody } from './account/change-notifications.ts'
import { changePhoneBody } from './account/change-phone.ts'
import { rateDeliveryBody } from './account/rate-delivery.ts'
import { changeCommutesBody } from './driving/change-commutes.ts'
import { changeDriverCardBody } from './driving/change-driver-card.ts'
import { completeDeliveryBody } from './driving/complete-delivery.ts'
import { releaseJobBody } from './driving/release-job.ts'
import { reportAttemptBody } from './driving/report-attempt.ts'
import { startReturnBody } from './driving/start-return.ts'
import type { operationEndpoints } from './index.ts'
import { addNoteBody } from './office/add-note.ts'
import { assignDriverBody } from './office/assign-driver.ts'
import { changeSettingsBody } from './office/change-settings.ts'
import { correctDeliveryBody } from './office/correct-delivery.ts'
import { refundDeliveryBody } from './office/money/refund-delivery.ts'
import { settlePayoutBody } from './office/money/settle-payout.ts'
import { reportForBody } from './office/report-for.ts'
import { resolveDisputeBody } from './office/resolve-dispute.ts'
import { reviewDriverBody } from './office/review-driver.ts'
import { suspendUserBody } from './office/suspend-user.ts'
import {
  changeItemBody,
  changeZoneBody,
  newChoiceBody,
  newZoneBody,
} from './office/zones-and-items.ts'
import { confirmReturnBody } from './sending/confirm-return.ts'
import { contestPickUpBody } from './sending/contest-pick-up.ts'
import { createDeliveryBody } from './sending/create-delivery.ts'
import { createGuestDeliveryBody } from './sending/create-guest-delivery.ts'
import { raiseOfferBody } from './sending/raise-offer.ts'
import { renewCodeBody } from './sending/renew-code.ts'
import { sharedBodies } from './shared-calls.ts'

/*
 * What the server takes of each operation. Apart from the operations, so that no phone loads it: the first page must stay small.
 */

export const operationBodies = {
  ...sharedBodies,
  changeNotifications: { body: changeNotificationsBody },
  changePhone: { body: changePhoneBody },
  rateDelivery: { body: rateDeliveryBody },
  changeCommutes: { body: changeCommutesBody },
  changeDriverCard: { body: changeDriverCardBody },
  completeDelivery: { body: completeDeliveryBody },
  releaseJob: { body: releaseJobBody },
  reportAttempt: { body: reportAttemptBody },
  startReturn: { body: startReturnBody },
  resolveDispute: { body: resolveDisputeBody },
  reviewDriver: { body: reviewDriverBody },
  settlePayout: { body: settlePayoutBody },
  assignDriver: { body: assignDriverBody },
  correctDelivery: { body: correctDeliveryBody },
  refundDelivery: { body: refundDeliveryBody },
  reportFor: { body: reportForBody },
  suspendUser: { body: suspendUserBody },
  addNote: { body: addNoteBody },
  confirmReturn: { body: confirmReturnBody },
  contestPickUp: { body: contestPickUpBody },
  createDelivery: { body: createDeliveryBody },
  createGuestDelivery: { body: createGuestDeliveryBody },
  raiseOffer: { body: raiseOfferBody },
  renewCode: { body: renewCodeBody },
  addZone: { body: newZoneBody },
  changeZone: { body: changeZoneBody },
  addItem: { body: newChoiceBody },
  changeItem: { body: changeItemBody },
  changeSettings: { body: changeSettingsBody },
  // These say everything in their path.
  acceptDelivery: {},
  acknowledgeCancel: {},
  reportUnpaid: {},
  endSession: {},
  sendCode: {},
  removeZone: {},
  removeItem: {},
} satisfies Record<keyof typeof operationEndpoints, { body?: z.ZodMiniType }>
