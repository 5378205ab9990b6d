import type * as z from 'zod/mini'
import { changeNotifications } from './account/change-notifications.ts'
import { changePhone } from './account/change-phone.ts'
import { endSession } from './account/end-session.ts'
import { rateDelivery } from './account/rate-delivery.ts'
import { reportIssue } from './account/report-issue.ts'
import { acceptDelivery } from './driving/accept-delivery.ts'
import { acknowledgeCancel } from './driving/acknowledge-cancel.ts'
import { attachProof } from './driving/attach-proof.ts'
import { changeCommutes } from './driving/change-commutes.ts'
import { changeDriverCard } from './driving/change-driver-card.ts'
import { completeDelivery } from './driving/complete-delivery.ts'
import { pickUpDelivery } from './driving/pick-up-delivery.ts'
import { releaseJob } from './driving/release-job.ts'
import { reportAttempt } from './driving/report-attempt.ts'
import { reportUnpaid } from './driving/report-unpaid.ts'
import { startReturn } from './driving/start-return.ts'
import type { Endpoint } from './endpoint.ts'
import { addNote } from './office/add-note.ts'
import { approveForSender } from './office/approve-for-sender.ts'
import { assignDriver } from './office/assign-driver.ts'
import { changeSettings } from './office/change-settings.ts'
import { correctDelivery } from './office/correct-delivery.ts'
import { refundDelivery } from './office/money/refund-delivery.ts'
import { settlePayout } from './office/money/settle-payout.ts'
import { reportFor } from './office/report-for.ts'
import { resolveDispute } from './office/resolve-dispute.ts'
import { reviewDriver } from './office/review-driver.ts'
import { sendCode } from './office/send-code.ts'
import { suspendUser } from './office/suspend-user.ts'
import {
  addItem,
  addZone,
  changeItem,
  changeZone,
  removeItem,
  removeZone,
} from './office/zones-and-items.ts'
import type { Details, OperationRequest, RequestContext } from './operation.ts'
import { approveDelivery } from './sending/approve-delivery.ts'
import { cancelDelivery } from './sending/cancel-delivery.ts'
import { confirmReturn } from './sending/confirm-return.ts'
import { contestPickUp } from './sending/contest-pick-up.ts'
import { createDelivery } from './sending/create-delivery.ts'
import { createGuestDelivery } from './sending/create-guest-delivery.ts'
import { raiseOffer } from './sending/raise-offer.ts'
import { renewCode } from './sending/renew-code.ts'
import { sharedCalls } from './shared-calls.ts'
import { uploadPhoto } from './upload-photo.ts'

/** Everything a person can do that is queued. One name for each intent, from the button to the server's effect. */
export const operations = {
  uploadPhoto,
  createDelivery,
  createGuestDelivery,
  raiseOffer,
  acceptDelivery,
  pickUpDelivery,
  completeDelivery,
  attachProof,
  approveDelivery,
  cancelDelivery,
  acknowledgeCancel,
  contestPickUp,
  releaseJob,
  reportAttempt,
  reportUnpaid,
  startReturn,
  confirmReturn,
  renewCode,
  rateDelivery,
  reportIssue,
  changePhone,
  endSession,
  reviewDriver,
  resolveDispute,
  settlePayout,
  assignDriver,
  correctDelivery,
  approveForSender,
  refundDelivery,
  reportFor,
  sendCode,
  suspendUser,
  addNote,
  changeDriverCard,
  changeNotifications,
  changeCommutes,
  addZone,
  changeZone,
  removeZone,
  addItem,
  changeItem,
  removeItem,
  changeSettings,
}

type Operations = typeof operations
export type OperationName = keyof Operations
/** What the outbox stores of an operation. */
export type InputOf<O extends OperationName> = z.infer<Operations[O]['input']>

/** What a person can do to a delivery that exists. */
export type Action = {
  [O in OperationName]: Operations[O] extends { rule: unknown } ? O : never
}[OperationName]
/** An action with what it says beside its delivery. */
export type DeliveryOperation = { [A in Action]: { op: A } & Details<InputOf<A>> }[Action]

type Called = Operations & typeof sharedCalls
type EndpointsOf<T> = {
  [O in keyof T as T[O] extends { call: Endpoint } ? O : never]: T[O] extends { call: infer C }
    ? C
    : never
}
const called: [string, { call?: Endpoint }][] = Object.entries({
  ...operations,
  ...sharedCalls,
})

/** Their lines of the endpoint table. */
export const operationEndpoints = Object.fromEntries(
  called.flatMap(([op, { call }]) => (call ? [[op, call]] : [])),
) as EndpointsOf<Called>

type AnyOperation = {
  call?: Endpoint
  body?(input: object, context: RequestContext): object
  request?(input: object, context: RequestContext): OperationRequest
}

/** The call that an operation makes, and what it sends. The same input gives the same request (S43). */
export function requestOf(
  op: OperationName,
  input: object,
  context: RequestContext,
): OperationRequest {
  const about = operations[op] as AnyOperation
  return (
    about.request?.(input, context) ?? { op, id: context.id, body: about.body?.(input, context) }
  )
}
