import type { Secrets } from '#server/ports/secrets.ts'

/*
 * Tokens of the simulation. They are derived from the demo's secret, so nothing has to be stored to
 * make one again, and a resident has at most one session.
 */

export const residentToken = (secrets: Secrets, userId: string): string =>
  `u_${secrets.keyed('demo person', userId)}`

/** For a delivery that a guest of the city requested, not the visitor. */
export const guestToken = (secrets: Secrets, deliveryId: string): string =>
  `g_${secrets.keyed('demo guest', deliveryId)}`
