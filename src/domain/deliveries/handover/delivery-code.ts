import { Refusal, reasonTexts } from '../../errors.ts'
import type { ActionTime, Actor, Delivery } from '../delivery.ts'
import { mustBeSenderOf } from '../transitions.ts'

/** Wrong tries after which a code works no longer (R135). */
const mostWrongCodes = 15
/** Wrong tries of which the sender and the office are told (R135). */
const toldWrongCodes: readonly number[] = [5, mostWrongCodes]
/** How often a delivery gets a new code (R135). */
const mostNewCodes = 3

/** Whether so many wrong tries have locked a code (R135). */
export const isLockedAfter = (wrongCodes: number): boolean => wrongCodes >= mostWrongCodes

/** Whether the newest wrong try is one to tell the sender and the office of (R135). */
export const isToldOf = ({ wrongCodes = 0 }: Delivery): boolean =>
  toldWrongCodes.includes(wrongCodes)

/** Whether so many wrong codes were tried that its sender reads of it (R135). */
export const isGuessedAt = ({ wrongCodes = 0 }: Delivery): boolean =>
  wrongCodes >= Math.min(...toldWrongCodes)

/** Whether its sender can still get a new code (R135). */
export const hasNewCode = ({ newCodes = 0 }: Delivery): boolean => newCodes < mostNewCodes

/** The delivery after a wrong try: the fifteenth locks its code, and no time opens it again (R135). */
export function countWrongCode(delivery: Delivery): Delivery {
  const wrongCodes = (delivery.wrongCodes ?? 0) + 1
  return { ...delivery, wrongCodes, codeLocked: isLockedAfter(wrongCodes) || undefined }
}

/** What is said of a wrong code, where so many tries are left for a quarter of an hour (R60) and so many were wrong in all (R135). */
export function wrongCode(left: number, wrongCodes: number): Refusal {
  const tries = Math.min(left, mostWrongCodes - wrongCodes)
  const { 'wrong-code': wrong, 'code-locked': locked } = reasonTexts
  if (isLockedAfter(wrongCodes)) return new Refusal('wrong-code', locked)
  if (tries < 1) return new Refusal('wrong-code', `${wrong} The next try is in 15 minutes.`)
  return new Refusal('wrong-code', `${wrong} ${tries} ${tries === 1 ? 'try' : 'tries'} left.`)
}

/**
 * The sender or guest gives the delivery a new code, which opens a locked one (R135). `codes`: drawn by the server,
 * unknown to a phone. Refusals: not-allowed, unverified, wrong-status, codes.
 */
export function renewCode(
  delivery: Delivery,
  actor: Actor,
  { at }: ActionTime,
  codes: Pick<Delivery, 'deliveryCode' | 'returnCode'> = {},
): Delivery {
  mustBeSenderOf(delivery, actor)
  const { status, newCodes = 0 } = delivery
  if (status !== 'Accepted' && status !== 'Picked Up') throw new Refusal('wrong-status')
  if (!hasNewCode(delivery)) throw new Refusal('codes')
  const { wrongCodes: _, codeLocked: __, deliveryCode: ___, ...rest } = delivery
  return { ...rest, ...codes, newCodes: newCodes + 1, updatedAt: at }
}
