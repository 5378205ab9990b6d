import type { Passwords } from '../../../ports/ports.ts'
import type { Repo } from '../../../ports/repo.ts'
import { browserRandom } from '../../../ports/secrets.ts'
import { StartupError } from '../../../startup-error.ts'
import { argonPasswords } from '../../passwords.ts'
import { auditOperator } from './audit-operator.ts'
import type { Task } from './task.ts'

export const resetPassword: Task = {
  args: ['<email>'],
  about:
    'gives the account a new password, which is printed, and ends its sessions and second step',
  async run({ repo }, email = '') {
    const password = await setNewPassword(repo, argonPasswords(1), email)
    return {
      lines: [
        `The password of ${email} is new, and their sessions have ended.`,
        `password: ${password}`,
      ],
    }
  },
}

/** Gives the account with this e-mail a new password, and ends its sessions and second factor (R11, R214). Throws `StartupError`. */
async function setNewPassword(
  repo: Repo,
  passwords: Pick<Passwords, 'hash'>,
  email: string,
): Promise<string> {
  const password = newPassword()
  const passwordHash = await passwords.hash(password)
  const isKnown = await repo.transaction(async (stores) => {
    const account = await stores.users.byEmail(email)
    if (!account) return false
    await stores.users.lock(account.ID)
    await stores.users.change(account.ID, { passwordHash, factor: null })
    await stores.sessions.endAllOf(account.ID)
    await stores.codes.end(account.ID, 'reset')
    await stores.publish({ about: 'me', to: [account.ID] })
    await auditOperator(stores, 'resetPassword', account.ID)
    return true
  })
  if (!isKnown) throw new StartupError(`There is no account with the e-mail ${email}.`)
  return password
}

/** 32 letters and digits, none of which looks like another: 16 of them are 80 bits. */
const letters = 'abcdefghijkmnpqrstuvwxyz23456789'

const newPassword = () =>
  Array.from(browserRandom(16), (byte) => letters[byte % letters.length]).join('')
