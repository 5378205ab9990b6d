import type { StoredSession } from '../../ports/repo.ts'
import type { Secrets } from '../../ports/secrets.ts'

/** What is kept of a session that begins now (`at`, ISO 8601); the token itself is not. */
export const newSession = (
  secrets: Secrets,
  token: string,
  userId: string,
  at: string,
  device = '',
): StoredSession => ({
  hash: secrets.hash(token),
  userId,
  id: secrets.id(),
  createdAt: at,
  usedAt: at,
  device,
})
