import type { Repo } from '../../ports/repo.ts'
import type { Account } from '../../ports/stores/account-stores.ts'

/** The account of a session, by the hash of its token, with its password; `undefined` when it has ended. */
export const accountOfSession = (
  repo: Pick<Repo, 'read'>,
  session: string,
): Promise<Account | undefined> =>
  repo.read(async ({ sessions, users }) => {
    const found = await sessions.find(session)
    return found && users.byEmail(found.user.email)
  })
