import { call } from '#contract/call.ts'
import { Refused, Unreachable } from '#contract/errors.ts'
import type { Revocation } from '#store/database/engine-db.ts'
import { deadline, type Tools } from '../platform/context.ts'
import { backoff } from '../push/backoff.ts'

const patience = 20_000
/** No session of the server's is older, milliseconds: by then the token is dead of itself. */
const longestSession = 180 * 24 * 60 * 60_000

/**
 * Tells the server of every logout it has not heard of: `POST /logout` with the token, until it is
 * answered by a success or by 401. Returns when the next try is due, milliseconds since 1970, or
 * nothing when no token is left. `now`: whatever waits is tried at once, unless the server named a time.
 */
export async function revokeTokens(tools: Tools, now = false): Promise<number | undefined> {
  const { db, clock } = tools
  await tools.locks.run(`soma-revoke:${db.name}`, async () => {
    for (const each of await db.revocations.toArray())
      if (each.nextAt <= clock.now() || (now && !each.held)) await revoke(tools, each)
  })
  const left = await db.revocations.toArray()
  return left.length === 0 ? undefined : Math.min(...left.map(({ nextAt }) => nextAt))
}

async function revoke(tools: Tools, revocation: Revocation): Promise<void> {
  const { db, clock, random } = tools
  const { id, token, at } = revocation
  const told = await tell(tools, token)
  if (id === undefined) return
  if (told.over || clock.now() - at > longestSession) return db.revocations.delete(id)
  const attempts = revocation.attempts + 1
  const wait = told.retryAfter ?? Math.max(1_000, backoff(attempts, random))
  const held = told.retryAfter !== undefined
  await db.revocations.update(id, { attempts, nextAt: clock.now() + wait, held })
}

async function tell(tools: Tools, token: string): Promise<{ over: boolean; retryAfter?: number }> {
  const { signal, clear } = deadline(tools.clock, patience)
  try {
    await call(tools.transport, tools.base, 'logout', { token, body: {}, signal })
    return { over: true }
  } catch (error) {
    if (error instanceof Refused) return { over: error.status === 401 }
    return { over: false, retryAfter: error instanceof Unreachable ? error.retryAfter : undefined }
  } finally {
    clear()
  }
}
