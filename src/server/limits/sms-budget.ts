import { isGhanaPhone } from '#domain/users/phone.ts'
import type { Ports, SmsMessage } from '../ports/ports.ts'
import type { Stores } from '../ports/repo.ts'
import { attemptKey, findTooMany, TooManyAttempts } from './rate-limits.ts'

const day = 24 * 60 * 60 * 1000

/** Digits of a number by which SMS are counted together: those of one network and block of numbers. */
const prefixLength = 6

/**
 * The SMS the whole service sends in a day of UTC (R63), and those to numbers with the same first six digits
 * (R147), counted in the transaction that orders them.
 */
export function smsBudget({ secrets, options }: Pick<Ports, 'secrets' | 'options'>) {
  const { smsPrefix } = options.limits
  const keyOf = (at: string) => attemptKey(secrets, { name: 'sms-daily' }, at.slice(0, 10))
  const prefixOf = (phone: string) => phone.slice(0, prefixLength)

  /** How many were sent on the day of this time. Others that ask wait for this transaction. */
  async function lockedCount({ attempts }: Stores, at: string): Promise<number> {
    const key = keyOf(at)
    await attempts.lock(key)
    return attempts.count(key, new Date(0).toISOString())
  }

  return {
    /**
     * Throws `TooManyAttempts` when a budget for this number is used up. Every call that could send an SMS
     * asks, whether or not it would send one, so that the refusal reveals nothing (R56).
     */
    async assertLeft(stores: Stores, phone: string, at: string): Promise<void> {
      if ((await lockedCount(stores, at)) >= options.smsDaily) {
        const now = Date.parse(at)
        throw new TooManyAttempts(Math.ceil((day - (now % day)) / 1000), 'sms-daily')
      }
      const tooMany = await findTooMany(stores, secrets, smsPrefix, prefixOf(phone), at)
      if (tooMany) throw tooMany
    },

    /** Whether this share of both budgets for this number, from 0 to 1, is not used up. */
    async isLeft(stores: Stores, phone: string, at: string, share: number): Promise<boolean> {
      if ((await lockedCount(stores, at)) >= options.smsDaily * share) return false
      const limit = { ...smsPrefix, tries: Math.max(1, Math.floor(smsPrefix.tries * share)) }
      return !(await findTooMany(stores, secrets, limit, prefixOf(phone), at))
    },

    /** How many were sent on the day of this time. */
    sent: ({ attempts }: Stores, at: string): Promise<number> =>
      attempts.count(keyOf(at), new Date(0).toISOString()),

    /** Counts SMS and returns those that are to be sent: to numbers of Ghana alone (R146). */
    async order(stores: Stores, messages: readonly SmsMessage[], at: string) {
      const sent = messages.filter(({ to }) => isGhanaPhone(to))
      for (const { to } of sent)
        for (const key of [keyOf(at), attemptKey(secrets, smsPrefix, prefixOf(to))])
          await stores.attempts.add({ id: secrets.id(), key, at })
      return sent
    },
  }
}
