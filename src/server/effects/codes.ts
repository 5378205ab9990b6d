import { attemptKey } from '../limits/rate-limits.ts'
import { effect } from './effect.ts'

/** Generates the sender's return code and sets when an admin is asked about the return (R104, R106). */
export const startReturn = effect<'startReturn'>({
  terms: async ({ ports: { secrets, options }, before, asked: { at } }) => ({
    returnCode: otherCode(secrets.digits, before.deliveryCode),
    dueAt: new Date(Date.parse(at) + options.endings.autoApprove).toISOString(),
  }),
})

/** Generates new codes, with a new count of tries (R135). */
export const renewCode = effect<'renewCode'>({
  async terms({ stores, ports: { secrets, options }, before, asked: { id } }) {
    const deliveryCode = otherCode(secrets.digits, before.deliveryCode, before.returnCode)
    const returnCode =
      before.returnCode && otherCode(secrets.digits, deliveryCode, before.returnCode)
    await stores.attempts.forget(attemptKey(secrets, options.limits.deliveryCode, id))
    return { deliveryCode, returnCode }
  },
})

/** Five digits that differ from these: the recipient's code hands over, the sender's return code gives back. */
function otherCode(digits: (length: number) => string, ...taken: (string | undefined)[]): string {
  for (;;) {
    const code = digits(5)
    if (!taken.includes(code)) return code
  }
}
