import type { Action } from '#operations/index.ts'

/** What a party or driver does by hand; the office's acts are not drawn by phones. */
export type PartyAction = Exclude<
  Action,
  'acknowledgeCancel' | 'assignDriver' | 'correctDelivery' | 'approveForSender' | 'refundDelivery'
>

/** Actions that advance a delivery come first and are picked more often. */
export const actions: PartyAction[] = [
  'completeDelivery',
  'approveDelivery',
  'pickUpDelivery',
  'acceptDelivery',
  'confirmReturn',
  'startReturn',
  'reportAttempt',
  'rateDelivery',
  'reportUnpaid',
  'attachProof',
  'cancelDelivery',
  'releaseJob',
  'renewCode',
  'contestPickUp',
  'raiseOffer',
]

/** The most candidates one action is picked from. */
export const mostPick = 40

export const picked = <T>(all: T[], pick: number): T | undefined =>
  all[Math.floor((pick / (mostPick + 1)) ** 2 * all.length)]
