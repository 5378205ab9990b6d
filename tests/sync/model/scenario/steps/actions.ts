import type { Action } from '#operations/index.ts'

/** Actions that advance a delivery come first and are picked more often. */
export const actions: Exclude<Action, 'acknowledgeCancel'>[] = [
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
