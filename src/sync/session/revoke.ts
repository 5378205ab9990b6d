import { call } from '#contract/calls/call.ts'
import { Refused, Unreachable } from '#contract/wire-errors.ts'
import type { Revocation } from '#store/database/engine-db.ts'
import { backoff } from '#store/outbox/backoff.ts'
import { deleteRevocation, postponeRevocation, revocations } from '#store/session/revocations.ts'
import { deadline, type SyncContext } from '../platform/context.ts'

const patience = 20_000

/**
 * Sends every logout that has not reached the server: `POST /logout` with the token, until it is
 * answered by a success or by 401. Returns when the next try is due, by the clock that is never set, or
 * nothing when no token is left. `now`: whatever waits is tried at once, unless the server named a time.
 */
export async function revokeTokens(context: SyncContext, now = false): Promise<number | undefined> {
  const { db, clock, waits } = context
  await context.locks.run(`soma-revoke:${db.name}`, async () => {
    for (const each of await revocations(db))
      if (waits.left(each) === 0 || (now && !each.held)) await revoke(context, each)
  })
  const left = await revocations(db)
  return left.length === 0 ? undefined : clock.monotonic() + Math.min(...left.map(waits.left))
}

async function revoke(context: SyncContext, revocation: Revocation): Promise<void> {
  const { db, clock, random } = context
  const { id, token } = revocation
  const { isOver, fault } = await logout(context, token)
  if (id === undefined) return
  if (isOver) return deleteRevocation(db, id)
  const attempts = revocation.attempts + 1
  const wait = fault?.retryAfter ?? Math.max(1_000, backoff(attempts, random))
  const held = fault?.namesTime === true
  await postponeRevocation(db, id, { attempts, nextAt: clock.now() + wait, wait, held })
}

async function logout(
  context: SyncContext,
  token: string,
): Promise<{ isOver: boolean; fault?: Unreachable }> {
  const { signal, clear } = deadline(context.clock, patience)
  try {
    await call(context.transport, context.base, 'logout', { token, body: {}, signal })
    return { isOver: true }
  } catch (error) {
    if (error instanceof Refused) return { isOver: error.status === 401 }
    return { isOver: false, fault: error instanceof Unreachable ? error : undefined }
  } finally {
    clear()
  }
}
