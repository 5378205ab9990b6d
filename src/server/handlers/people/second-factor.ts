import { Refusal } from '#domain/errors.ts'
import type { User } from '#domain/users/user.ts'
import { type Handlers, requireUser } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import type { Account, SecondFactor } from '../../ports/stores/account-stores.ts'
import { accountOfSession } from '../../rules/accounts/account-of-session.ts'
import {
  afterCode,
  newRecoveryCodes,
  newSecondFactor,
  takeCode,
  wrongCode,
} from '../../rules/accounts/login-codes.ts'
import { passwordCheck } from '../../rules/accounts/password-check.ts'

type Calls = Pick<Handlers, 'startSecondFactor' | 'confirmSecondFactor' | 'endSecondFactor'>

/** A colleague's own second factor: set up, confirmed, and turned off (R213, R214). */
export function secondFactorHandlers(ports: Ports): Calls {
  const { repo, secrets, options } = ports
  const limit = options.limits.secondFactor
  const checkPassword = passwordCheck(ports)

  const save = async (stores: Stores, { ID }: User, factor: SecondFactor | null) => {
    await stores.users.change(ID, { factor })
    await stores.publish({ about: 'me', to: [ID] })
    await stores.publish({ about: 'users', to: [], admins: true })
  }

  return {
    // With the password: whoever has a session alone must not lock its owner out.
    async startSecondFactor({ input: { password }, session = '', address, device, at }) {
      const account = await accountOfSession(repo, session)
      if (!account) throw new Refusal('no-session')
      if (account.factor?.isOn) throw isOnAlready()
      if (!(await checkPassword(account, '', { password, address, device, at })))
        throw new Refusal('wrong-password')
      return async (stores, actor) => {
        const user = requireUser(actor)
        if (user.secondFactor) throw isOnAlready()
        const { factor, secret, link } = newSecondFactor(secrets, user)
        await stores.users.change(user.ID, { factor })
        return { body: { secret, link }, subject: user.ID }
      }
    },

    confirmSecondFactor:
      ({ input: { code }, at }) =>
      async (stores, actor) => {
        const user = requireUser(actor)
        const { factor } = await accountOf(stores, user)
        if (factor?.isOn) throw isOnAlready()
        const confirmed = factor && afterCode(secrets, user.ID, factor, code, at)
        if (!confirmed) throw wrongCode()
        const { codes, recovery } = newRecoveryCodes(secrets, user.ID)
        await save(stores, user, { ...confirmed, isOn: true, recovery })
        return { body: { codes }, subject: user.ID }
      },

    async endSecondFactor({ input: { password, code }, session = '', address, device, at }) {
      const account = await accountOfSession(repo, session)
      if (!account) throw new Refusal('no-session')
      const attempt = await checkPassword(account, '', { password, address, device, at })
      if (!attempt) throw new Refusal('wrong-password')
      return async (stores, actor) => {
        const user = requireUser(actor)
        const current = await accountOf(stores, user)
        const refusal = await takeCode(stores, secrets, current, { code, at, attempt, limit })
        if (refusal) return { refusal }
        await save(stores, user, null)
        return { body: { message: 'The second step is off.' }, subject: user.ID }
      }
    },
  }
}

const isOnAlready = () => new Refusal('wrong-status', 'The second step is on already.')

/** Of somebody whose row is locked. Refusal: no-session. */
async function accountOf(stores: Stores, { email }: User): Promise<Account> {
  const account = await stores.users.byEmail(email)
  if (!account) throw new Refusal('no-session')
  return account
}
