import { v7 } from 'uuid'
import { openEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts'
import type { Passwords } from '../ports/ports.ts'
import type { Repo } from '../ports/repo.ts'
import { browserRandom } from '../ports/secrets.ts'
import { migrate } from '../postgres/migrate.ts'
import { openPostgres } from '../postgres/repo.ts'
import { movePhotosToBucket } from './move-photos.ts'
import { argonPasswords } from './passwords.ts'
import type { Config } from './startup/config.ts'
import { StartupError } from './startup/startup-error.ts'

const usage = 'Usage: npm run admin -- reset-password <email> | move-photos'

/**
 * Runs a command of `npm run admin`, whether or not the server runs. Returns the lines to print.
 * Throws `StartupError`.
 */
export async function runAdminCommand(args: string[], config: Config): Promise<string[]> {
  const [command, email, ...rest] = args
  if (command === 'move-photos' && args.length === 1) return movePhotosToBucket(config)
  if (command !== 'reset-password' || !email || rest.length > 0) throw new StartupError(usage)
  return withRepo(config, async (repo) => {
    const password = await resetPassword(repo, argonPasswords(1), email)
    return [
      `The password of ${email} is new, and their sessions have ended.`,
      `password: ${password}`,
    ]
  })
}

/** Gives the account with this e-mail a new password and ends its sessions (R11). Throws `StartupError`. */
async function resetPassword(
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
    await stores.users.change(account.ID, { passwordHash })
    await stores.sessions.endAllOf(account.ID)
    await stores.codes.end(account.ID, 'reset')
    await stores.publish({ about: 'me', to: [account.ID] })
    await stores.audit.add({
      ID: v7(),
      At: new Date().toISOString(),
      Actor: 'console',
      Action: 'resetPassword',
      Subject: account.email,
      Address: '',
    })
    return true
  })
  if (!isKnown) throw new StartupError(`There is no account with the e-mail ${email}.`)
  return password
}

async function withRepo<T>(config: Config, work: (repo: Repo) => Promise<T>): Promise<T> {
  const database = config.databaseUrl
    ? { url: config.databaseUrl, stop: async () => undefined }
    : await openEmbeddedPostgres(config.dataDir)
  try {
    await migrate(database.url)
    const repo = openPostgres(database.url)
    try {
      return await work(repo)
    } finally {
      await repo.close()
    }
  } finally {
    await database.stop()
  }
}

/** 32 letters and digits, none of which looks like another: 16 of them are 80 bits. */
const letters = 'abcdefghijkmnpqrstuvwxyz23456789'

const newPassword = () =>
  Array.from(browserRandom(16), (byte) => letters[byte % letters.length]).join('')
