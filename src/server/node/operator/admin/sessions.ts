import type { Stores } from '../../../ports/repo.ts'
import type { Account } from '../../../ports/stores/account-stores.ts'
import { StartupError } from '../../../startup-error.ts'
import { auditOperator } from './audit-operator.ts'
import type { Task } from './task.ts'

export const listSessions: Task = {
  args: ['<email>'],
  about: 'lists the sessions of an account: ID, created, last used, device',
  async run({ repo }, email = '') {
    const sessions = await repo.read(async (stores) => {
      const account = await accountOf(stores, email)
      return stores.sessions.listOf(account.ID)
    })
    if (sessions.length === 0) return { lines: [`${email} has no session.`] }
    return {
      lines: sessions.map(({ id, createdAt, usedAt, device }) =>
        [id, `created ${createdAt}`, `used ${usedAt}`, device || 'unknown device'].join('  '),
      ),
    }
  },
}

export const closeSession: Task = {
  args: ['<id>'],
  about: 'ends the session with this ID: its device is signed out',
  async run({ repo }, id = '') {
    const owner = await ownerOf(repo.pool, id)
    const email = await repo.transaction(async (stores) => {
      const user = owner && (await stores.users.lock(owner))
      if (!user || !(await stores.sessions.endOf(user.ID, id))) return undefined
      await stores.publish({ about: 'me', to: [user.ID] })
      await auditOperator(stores, 'closeSession', user.ID)
      return user.email
    })
    if (email === undefined) throw new StartupError(`There is no session with the ID ${id}.`)
    return { lines: [`A session of ${email} has ended.`] }
  },
}

export const closeSessions: Task = {
  args: ['<email>'],
  about: 'ends every session of an account; its password stays',
  async run({ repo }, email = '') {
    const ended = await repo.transaction(async (stores) => {
      const { ID } = await accountOf(stores, email)
      // A login that is under way either comes before and is ended too, or comes after.
      await stores.users.lock(ID)
      const { length } = await stores.sessions.listOf(ID)
      await stores.sessions.endAllOf(ID)
      await stores.publish({ about: 'me', to: [ID] })
      await auditOperator(stores, 'closeSessions', ID)
      return length
    })
    return { lines: [`Sessions of ${email} that have ended: ${ended}.`] }
  },
}

/** The account with this e-mail. Throws `StartupError`. */
async function accountOf(stores: Pick<Stores, 'users'>, email: string): Promise<Account> {
  const account = await stores.users.byEmail(email)
  if (!account) throw new StartupError(`There is no account with the e-mail ${email}.`)
  return account
}

type Pool = {
  query(text: string, values: string[]): Promise<{ rows: { user_id: string }[] }>
}

/** Whose session this is; `undefined` when there is none. */
async function ownerOf(pool: Pool, id: string): Promise<string | undefined> {
  // Compared as text, so that an argument that is no UUID finds nothing instead of failing.
  const { rows } = await pool.query('select user_id from sessions where id::text = lower($1)', [id])
  return rows[0]?.user_id
}
