import type { User } from '#domain/users/user.ts'
import type { Stores } from '../../ports/repo.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { StoredSession } from '../../ports/stores/account-stores.ts'

/** The row of a session that begins at `at` (ISO 8601). It holds the token's hash, not the token. */
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

/** Begins a session: what a login answers with. */
export async function openSession(
  secrets: Secrets,
  stores: Stores,
  user: User,
  at: string,
  device: string,
) {
  const token = secrets.sessionToken()
  await stores.sessions.add(newSession(secrets, token, user.ID, at, device))
  return { user, token, role: user.role }
}
