import { currentSession } from '../../session.ts'
import type { SomaDb } from '../../soma-db.ts'

/** As long as what this phone has sent stays listed. */
const shownFor = 72 * 3_600_000

/**
 * Whether the name and e-mail are again as they were before this phone changed them within the last three days (R144): a
 * server that was restored from a backup has lost the change, or the person has changed it back elsewhere.
 */
export async function undoneChanges(
  db: SomaDb,
  now = Date.now(),
): Promise<{ name: boolean; email: boolean }> {
  const { user, replaced } = (await currentSession(db)) ?? {}
  const isRecent = replaced !== undefined && now - replaced.at < shownFor
  return {
    name: isRecent && replaced.name === user?.name,
    email: isRecent && replaced.email === user?.email,
  }
}
