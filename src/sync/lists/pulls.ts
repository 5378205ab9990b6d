import { type EngineDb, guestAccount, type ListExtent, type Pulled } from '../database/engine-db.ts'
import { hasAny } from '../database/has-any.ts'

/** How far an account's list has come; nothing when it was never pulled. */
export const pulledState = (
  db: EngineDb,
  account: string,
  list: string,
): Promise<Pulled | undefined> => db.pulls.get([account, list])

/** Keys of an account's pulled lists that begin with `begin`. */
export async function pulledListsWith(
  db: EngineDb,
  account: string,
  begin: string,
): Promise<string[]> {
  const found = await db.pulls
    .where('[account+list]')
    .between([account, begin], [account, `${begin}\uffff`])
    .toArray()
  return found.map(({ list }) => list)
}

/** One response to a pull, as it is stored. */
export type PulledResponse = {
  account: string
  list: string
  /** Milliseconds since 1970. */
  at: number
  /** What was known before it was asked for. */
  before: Pulled | undefined
  /** Rows of the response, written inside the transaction; nothing when nothing has changed. */
  save?: () => PromiseLike<unknown>
  /** Notes rows of the response that could not be read; inside the transaction. */
  saveUnreadable?: () => Promise<void>
  /**
   * How far the response reaches, where it is the last of its pages. `extent` is known once `save` has run, and
   * says what of the list is not on this phone; without one that stays as it was.
   */
  end?: Pick<Pulled, 'cursor' | 'etag' | 'serverAt'> & { extent?: () => ListExtent | undefined }
  /** The server's own time, milliseconds since 1970; nothing where it did not say. */
  serverTime?: number
}

/** Milliseconds after which an unchanged list is asked for once without its tag, so that what has aged leaves. */
export const day = 24 * 3_600_000

/**
 * Stores a response and, with its last page, how far it reaches, in one transaction (S10). Resolves to
 * whether it was stored: a person who has logged out meanwhile leaves nothing more behind (S38).
 */
export function savePulled(db: EngineDb, response: PulledResponse): Promise<boolean> {
  const { account, list, at, before, save, end, serverTime } = response
  // Where nothing has changed, the rows are left to whoever reads them meanwhile.
  const tables = save ? db.tables : [db.pulls, db.sessions]
  return db.transaction('rw', tables, async () => {
    if (!(await isStillHere(db, account))) return false
    const current = await db.pulls.get([account, list])
    // Asked for in full meanwhile: what came since an older cursor is not all there is.
    const isForgotten = before?.cursor !== current?.cursor && current?.cursor === undefined
    if (!save) {
      const known = { ...current, account, list, at }
      if ((serverTime ?? 0) - (known.serverTime ?? 0) > day) known.etag = undefined
      await db.pulls.put(known)
      return true
    }
    await save()
    await response.saveUnreadable?.()
    const { extent, ...reached } = end ?? {}
    const reach = isForgotten ? {} : reached
    const { older, olderAt } = current ?? {}
    if (end)
      await db.pulls.put({ older, olderAt, ...extent?.(), account, list, ...reach, at, serverTime })
    return true
  })
}

/** A screen that waits for a list never had need wait no longer. What was had once still stands. */
export async function noteRefusedPull(db: EngineDb, account: string, list: string): Promise<void> {
  await db.transaction('rw', [db.pulls, db.sessions], async () => {
    if (!(await isStillHere(db, account)) || (await db.pulls.get([account, list]))) return
    await db.pulls.put({ account, list, at: 0, refused: true })
  })
}

/** Whether the account may still leave something on this phone: it is nobody's, the guest's, or logged in. */
export async function isStillHere(db: EngineDb, account: string): Promise<boolean> {
  if (account === '' || account === guestAccount) return true
  const session = await db.sessions.get('current')
  return session?.account === account && !session.expired
}

/** Whether anything was set aside: a list whose rows could not be read may be among it. */
export const hasSetAside = (db: EngineDb): PromiseLike<boolean> => hasAny(db.setAside)
