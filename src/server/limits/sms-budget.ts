import type { Ports } from '../ports/ports.ts'
import type { Stores } from '../ports/repo.ts'
import { attemptKey, TooManyAttempts } from './rate-limits.ts'

const day = 24 * 60 * 60 * 1000

/** The SMS the whole service sends in a day (UTC), counted in the transaction that orders them (R63). */
export function smsBudget({ secrets, options }: Pick<Ports, 'secrets' | 'options'>) {
  const keyOf = (at: string) => attemptKey(secrets, { name: 'sms-daily' }, at.slice(0, 10))

  return {
    /**
     * Throws `TooManyAttempts` until the next day when the budget is used up. Every call that could send an
     * SMS asks, whether or not it would send one, so that the refusal reveals nothing (R56).
     */
    async assertLeft({ attempts }: Stores, at: string): Promise<void> {
      const key = keyOf(at)
      await attempts.lock(key)
      const sent = await attempts.count(key, new Date(0).toISOString())
      if (sent < options.smsDaily) return
      const now = Date.parse(at)
      throw new TooManyAttempts(Math.ceil((day - (now % day)) / 1000), 'sms-daily')
    },

    /** Whether this share of the day's budget, from 0 to 1, is not used up. Others that ask wait for this transaction. */
    async isLeft({ attempts }: Stores, at: string, share: number): Promise<boolean> {
      const key = keyOf(at)
      await attempts.lock(key)
      return (await attempts.count(key, new Date(0).toISOString())) < options.smsDaily * share
    },

    /** How many were sent on the day of this time. */
    sent: ({ attempts }: Stores, at: string): Promise<number> =>
      attempts.count(keyOf(at), new Date(0).toISOString()),

    /** Counts the SMS that are sent. */
    async record({ attempts }: Stores, messages: readonly unknown[], at: string): Promise<void> {
      for (const _ of messages) await attempts.add({ id: secrets.id(), key: keyOf(at), at })
    },
  }
}
