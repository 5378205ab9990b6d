import { attemptKey, countAttempt, findTooMany } from '../../limits/rate-limits.ts'
import { smsBudget } from '../../limits/sms-budget.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'

/** Counts SMS to one phone, to numbers like it, and of the whole service (R63, R147). */
export function smsCounter(ports: Pick<Ports, 'secrets' | 'options'>) {
  const { secrets, options } = ports
  const { sms } = options.limits
  const { assertLeft, order } = smsBudget(ports)
  const limits = {
    /** Sign-ups, verifications and changes of a number. */
    verify: sms,
    /** What anybody may ask for in somebody's name has a counter of its own, so that it keeps nobody from those (R150). */
    recover: { ...sms, name: 'sms-recover' },
  }
  return {
    assertLeft,
    order,
    /** Counts an SMS that its caller asked for. Throws `TooManyAttempts`. */
    async countSms(stores: Stores, phone: string, at: string): Promise<void> {
      await countAttempt(stores, secrets, sms, phone, at)
      await assertLeft(stores, phone, at)
    },
    /**
     * Counts an SMS that somebody without a token asked for; false when it must not be sent. That is told to
     * nobody, because only numbers that are known here have so many (R56).
     */
    async takeSms(stores: Stores, which: keyof typeof limits, phone: string, at: string) {
      const limit = limits[which]
      if (await findTooMany(stores, secrets, limit, phone, at)) return false
      const key = attemptKey(secrets, limit, phone)
      await stores.attempts.add({ id: secrets.id(), key, at })
      return true
    },
  }
}
