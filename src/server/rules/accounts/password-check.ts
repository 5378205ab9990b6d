import { isOffice, normalizeEmail } from '#domain/users/user.ts'
import { loginLimits } from '../../limits/login-limits.ts'
import type { HandlerInput } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import type { Account } from '../../ports/stores/account-stores.ts'
import { recordFailedLogin } from '../audit.ts'

type Typed = { password: string } & Pick<HandlerInput<'login'>, 'address' | 'device' | 'at'>

/** Compares passwords, within the limits of failed logins (R61). */
export function passwordCheck(ports: Ports) {
  const { repo, secrets, passwords } = ports
  const begin = loginLimits(ports)

  /**
   * The attempt, when this is the password of `account`. It has ended already, unless the account has a second factor:
   * then the code ends it (R213). Otherwise the failure is counted, and recorded if the account is an admin's (R57).
   * `typed`: what stands for an account that does not exist. Throws `TooManyAttempts`.
   */
  return async (
    account: Account | undefined,
    typed: string,
    { password, address, device, at }: Typed,
  ) => {
    // Every failure counts for the account, whichever of its names was typed.
    const subject = account ? normalizeEmail(account.email) : typed
    const attempt = await begin(subject, address, account?.passwordHash ?? '')
    const isRight = await passwords
      .verify(account?.passwordHash, password)
      .catch(async (error: unknown) => {
        // The password was not compared, so nothing is counted.
        await repo.transaction(attempt.release)
        throw error
      })
    const fail = async (stores: Stores) => {
      await attempt.fail(stores)
      if (account && isOffice(account))
        await recordFailedLogin(stores, secrets, account, { at, address, device })
    }
    if (account && isRight) {
      if (account.factor?.isOn) return { release: attempt.release, fail }
      // Whatever happens to the call, it takes no place of another attempt.
      await repo.transaction(attempt.release)
      return { release: async () => {}, fail }
    }
    await repo.transaction(fail)
    return undefined
  }
}
