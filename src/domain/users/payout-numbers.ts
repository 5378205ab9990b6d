import type { PayoutNumber } from './payout-number.ts'
import type { User } from './user.ts'

type Numbers = Pick<User, 'payout' | 'nextPayout'>

/** The number that a driver is paid to at this time, in milliseconds since 1970 (R175). */
export const payoutAt = (
  { payout, nextPayout }: Numbers,
  time: number,
): PayoutNumber | undefined =>
  nextPayout && Date.parse(nextPayout.from) <= time ? nextPayout : payout
