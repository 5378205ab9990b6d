import { Refusal } from '../errors.ts'
import type { Ratings } from '../users/rating.ts'
import { type Actor, type Delivery, isDriverOf, isSenderOf } from './delivery.ts'

/** The side of a delivery on which an actor stands; `undefined` for anybody else. */
export function sideOf(delivery: Delivery, actor: Actor): keyof Ratings | undefined {
  if (isSenderOf(delivery, actor)) return 'sender'
  return 'user' in actor && isDriverOf(delivery, actor.user) ? 'driver' : undefined
}

/** `counted`: false where the rating is in no average (R137). */
type NewRating = { stars: number; words?: string; counted?: false }

/**
 * One side rates the other, once, after the delivery was approved (R113).
 * Refusals: not-allowed, wrong-status, rated.
 */
export function rate(
  delivery: Delivery,
  actor: Actor,
  { stars, words, counted }: NewRating,
  at: string,
): Delivery {
  const side = sideOf(delivery, actor)
  if (!side) throw new Refusal('not-allowed')
  if (delivery.status !== 'Approved') throw new Refusal('wrong-status')
  if (delivery.ratings?.[side]) throw new Refusal('rated')
  const ratings = { ...delivery.ratings, [side]: { stars, words, at, counted } }
  return { ...delivery, ratings, updatedAt: at }
}
