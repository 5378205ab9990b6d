import { User } from '#domain/users/user.ts'
import { followQuery } from '#sync/platform/follow-query.ts'
import { currentSession } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'

/** Local storage keys of the token and the user (R84). */
export type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

/** How a session found in local storage is taken over, and how one that is gone from it ends. */
type Sessions = {
  restore: (token: string, user: User | undefined) => Promise<void>
  clear: (account: string) => Promise<void>
}

/** Writes who is logged in to local storage; nobody when left out. */
export type LocalStorageSession = (session: { token: string; user: User } | undefined) => void

export const localStorageSession =
  (storage: Storage | undefined): LocalStorageSession =>
  (session) => {
    if (!storage) return
    if (session) {
      storage.setItem('token', session.token)
      storage.setItem('user', JSON.stringify(session.user))
    } else {
      storage.removeItem('token')
      storage.removeItem('user')
    }
  }

/**
 * The store holds the truth; local storage follows it. At start it is the other way round: a
 * person, or another tab, may have changed it while this page was away.
 */
export async function startLocalStorageSession(
  db: SomaDb,
  storage: Storage | undefined,
  session: Sessions,
): Promise<void> {
  if (!storage) return
  // A token whose owner could not be asked for keeps its place until somebody can be.
  let unknown = !(await settled(reconcile(db, storage, session)))
  const save = localStorageSession(storage)
  followQuery(
    () => currentSession(db),
    (current) => {
      if (current) unknown = false
      if (!unknown) save(current && !current.expired ? current : undefined)
    },
  )
}

const settled = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

async function reconcile(db: SomaDb, storage: Storage, session: Sessions): Promise<void> {
  const token = storage.getItem('token')
  const current = await currentSession(db)
  if (current?.expired || token === (current?.token ?? null)) return
  if (token !== null) await session.restore(token, userIn(storage))
  else if (current) await session.clear(current.account)
}

function userIn(storage: Storage): User | undefined {
  try {
    const user = User.safeParse(JSON.parse(storage.getItem('user') ?? 'null'))
    return user.success ? user.data : undefined
  } catch {
    return undefined
  }
}
