import { maxName } from '#domain/deliveries/draft.ts'
import { Refusal } from '#domain/errors.ts'
import { renamed } from '#domain/users/user.ts'
import { type Handlers, requireUser } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import { accountOfSession } from '../../rules/accounts/account-of-session.ts'
import { passwordCheck } from '../../rules/accounts/password-check.ts'
import { assertUncommonPassword } from '../../rules/accounts/password-rules.ts'
import { refreshContacts } from '../../rules/contacts.ts'
import { assertName, assertSeenEmail } from '../../rules/new-contacts.ts'

/** What people change of their own account: name, e-mail and password (R144). */
export function profileHandlers(ports: Ports): Pick<Handlers, 'changeProfile'> {
  const { repo, passwords, secrets } = ports
  const checkPassword = passwordCheck(ports)

  async function tellOffice(stores: Stores, Message: string, at: string) {
    await stores.activities.add({ ID: secrets.id(), Type: 'other', Message, CreatedAt: at })
    await stores.publish({ about: 'drivers', to: [], admins: true })
  }

  return {
    async changeProfile({ input, session = '', address, device, at }) {
      const { email, password } = input
      if (email !== undefined) assertSeenEmail(email)
      const account = await accountOfSession(repo, session)
      if (!account) throw new Refusal('no-session')
      const name = nameAfter(account.name, input)
      let passwordHash: string | undefined
      if (password) {
        const typed = { password: password.old, address, device, at }
        if (await checkPassword(account, '', typed)) {
          await assertUncommonPassword(password.new, {
            ...account,
            name,
            email: email ?? account.email,
          })
          passwordHash = await passwords.hash(password.new)
        }
        // A repeat after its response was lost: the new password is stored already.
        else if (!(await passwords.verify(account.passwordHash, password.new)))
          throw new Refusal('wrong-password')
      }
      return async (stores, actor) => {
        const { ID, ...before } = requireUser(actor)
        const current = passwordHash && (await stores.users.byEmail(before.email))
        // Another change or a reset may have committed since the password was compared (R11).
        if (current && current.passwordHash !== account.passwordHash)
          throw new Refusal('wrong-password')
        await stores.users.change(ID, {
          name: nameAfter(before.name, input),
          email,
          passwordHash,
        })
        if (passwordHash) {
          await stores.sessions.endAllOf(ID, session)
          await stores.codes.end(ID, 'reset')
        }
        const user = await stores.users.get(ID)
        if (!user) throw new Refusal('no-session')
        if (user.name !== before.name || user.email !== before.email)
          await refreshContacts(stores, user, at)
        // The office approved a driver under the other name.
        if (user.name !== before.name && user.role === 'driver')
          await tellOffice(stores, `${before.name} is now called ${user.name}`, at)
        await stores.publish({ about: 'me', to: [ID] })
        return { body: { user } }
      }
    },
  }
}

/** A name with its changed parts. Refusal: invalid. */
function nameAfter(name: string, change: { firstName?: string; lastName?: string }): string {
  if (change.firstName === undefined && change.lastName === undefined) return name
  const after = renamed(name, change)
  assertName(after)
  if (after.length > maxName) throw new Refusal('invalid', 'Name is too long.')
  return after
}
