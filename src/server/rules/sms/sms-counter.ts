import { countAttempt } from '../../limits/rate-limits.ts'
import { smsBudget } from '../../limits/sms-budget.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'

/** Counts SMS to one phone and of the whole service (R63). */
export function smsCounter(ports: Pick<Ports, 'secrets' | 'options'>) {
  const { secrets, options } = ports
  const budget = smsBudget(ports)
  return {
    /** Counts an SMS to this number, whether or not it is sent (R56). Throws `TooManyAttempts`. */
    async countSms(stores: Stores, phone: string, at: string): Promise<void> {
      await countAttempt(stores, secrets, options.limits.sms, phone, at)
      await budget.assertLeft(stores, at)
    },
    record: budget.record,
  }
}
