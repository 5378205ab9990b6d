import type { Ports } from '../ports/ports.ts'
import type { Stores } from '../ports/repo.ts'
import { attemptKey, TooManyAttempts } from './rate-limits.ts'

const day = 24 * 60 * 60 * 1000

/** The SMS the whole service may send in a day (UTC), counted in the transaction that orders them. */
export function smsBudget({ secrets, options }: Pick<Ports, 'secrets' | 'options'>) {
  const keyOf = (at: string) => attemptKey(secrets, { name: 'sms-daily' }, at.slice(0, 10))

  return {
    /**
     * Asked by every call that could send one, whether or not it would: so its refusal tells nothing.
     * Throws `TooMany` until the next day.
     */
    async assertLeft({ attempts }: Stores, at: string): Promise<void> {
      const key = keyOf(at)
      await attempts.lock(key)
      const sent = await attempts.count(key, new Date(0).toISOString())
      if (sent < options.smsDaily) return
      const now = Date.parse(at)
      throw new TooManyAttempts(Math.ceil((day - (now % day)) / 1000))
    },

    /** Counts those that are really sent. */
    async record({ attempts }: Stores, messages: readonly unknown[], at: string): Promise<void> {
      for (const _ of messages) await attempts.add({ id: secrets.id(), key: keyOf(at), at })
    },
  }
}
