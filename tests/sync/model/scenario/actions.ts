import type { Action } from '#domain/deliveries/permissions.ts'

/** What brings a delivery further comes first, and is picked more often. */
export const actions: Action[] = [
  'completeDelivery',
  'approveDelivery',
  'pickUpDelivery',
  'acceptDelivery',
  'attachProof',
  'cancelDelivery',
]

/** Of how many things one is picked at most. */
export const mostPick = 40

export const picked = <T>(all: T[], pick: number): T | undefined =>
  all[Math.floor((pick / (mostPick + 1)) ** 2 * all.length)]
