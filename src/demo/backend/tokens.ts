import type { Secrets } from '#server/ports/secrets.ts'

/*
 * Tokens of the city's own people, which whoever runs the city can make again and nobody else:
 * so nothing need be remembered of them, and each person has one session at most.
 */

export const residentToken = (secrets: Secrets, userId: string): string =>
  `u_${secrets.keyed('demo person', userId)}`

export const guestToken = (secrets: Secrets, deliveryId: string): string =>
  `g_${secrets.keyed('demo guest', deliveryId)}`
