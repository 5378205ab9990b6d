import type { PayoutNumber } from '../users/payout-number.ts'
import type { User } from '../users/user.ts'

/** Milliseconds until a changed payout number counts (R175). */
const changeDelay = 24 * 60 * 60 * 1000

type Numbers = Pick<User, 'payout' | 'nextPayout'>

/** The number that a driver is paid to at this time, in milliseconds since 1970 (R175). */
export const payoutAt = (
  { payout, nextPayout }: Numbers,
  time: number,
): PayoutNumber | undefined =>
  nextPayout && Date.parse(nextPayout.from) <= time ? nextPayout : payout

/** The change that is confirmed and does not count yet. */
export const nextPayoutAfter = ({ nextPayout }: Numbers, time: number): PayoutNumber | undefined =>
  nextPayout && Date.parse(nextPayout.from) > time ? nextPayout : undefined

/** A driver's numbers after they have confirmed one: the first counts at once, a change after 24 hours (R175). */
export function withPayoutNumber(
  before: Numbers,
  confirmed: Omit<PayoutNumber, 'from'>,
  at: string,
): { payout: PayoutNumber; nextPayout?: PayoutNumber } {
  const time = Date.parse(at)
  const counting = payoutAt(before, time)
  if (!counting) return { payout: { ...confirmed, from: at } }
  const from = new Date(time + changeDelay).toISOString()
  return { payout: counting, nextPayout: { ...confirmed, from } }
}

/** A driver's numbers once this phone is not theirs any more (R175): the number that counts, a change, and one that waits for its code. */
export function withoutPayoutPhone(
  before: Numbers & Pick<User, 'pendingPayout'>,
  phone: string,
  time: number,
): Numbers & Pick<User, 'pendingPayout'> {
  const kept = (number: PayoutNumber | undefined) => (number?.phone === phone ? undefined : number)
  return {
    payout: kept(payoutAt(before, time)),
    nextPayout: kept(nextPayoutAfter(before, time)),
    pendingPayout: kept(before.pendingPayout),
  }
}

/** Whether both are the same mobile money account. */
export const isSameAccount = (
  one: Omit<PayoutNumber, 'from'> | undefined,
  other: Omit<PayoutNumber, 'from'>,
): boolean => one?.phone === other.phone && one.network === other.network && one.name === other.name

/** Milliseconds for which a payout number waits for its code, as long as the code lives (R62). */
const codeLives = 10 * 60_000

/** The number whose code the driver can still enter. */
export const pendingPayoutAt = (
  { pendingPayout }: Pick<User, 'pendingPayout'>,
  time: number,
): PayoutNumber | undefined =>
  pendingPayout && time - Date.parse(pendingPayout.from) < codeLives ? pendingPayout : undefined
