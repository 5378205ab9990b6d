import { Refused, Unreachable } from '#contract/wire-errors.ts'
import type { Revocation } from '../database/engine-db.ts'
import type { RequestModel } from '../model.ts'
import { backoff } from '../outbox/backoff.ts'
import type { SyncContext } from '../platform/context.ts'

type LogoutModel = Pick<RequestModel, 'logout'>

/**
 * Sends every logout that has not reached the server, until the response is a success or 401 (S39). Returns when
 * the next try is due, or nothing when no token is left. `now`: whatever waits is tried at once, unless the server named a time.
 */
export async function revokeTokens(
  context: SyncContext,
  model: LogoutModel,
  now = false,
): Promise<number | undefined> {
  const { db, clock, waits } = context
  await context.locks.run(`soma-revoke:${db.name}`, async () => {
    for (const each of await db.revocations.toArray())
      if (waits.left(each) === 0 || (now && !each.held)) await revoke(context, model, each)
  })
  const left = await db.revocations.toArray()
  return left.length === 0 ? undefined : clock.monotonic() + Math.min(...left.map(waits.left))
}

async function revoke(
  context: SyncContext,
  model: LogoutModel,
  revocation: Revocation,
): Promise<void> {
  const { db, clock, random } = context
  const { id, token } = revocation
  const { isOver, fault } = await logout(context, model, token)
  if (id === undefined) return
  if (isOver) return db.revocations.delete(id)
  const attempts = revocation.attempts + 1
  const wait = fault?.retryAfter ?? Math.max(1_000, backoff(attempts, random))
  const held = fault?.namesTime === true
  await db.revocations.update(id, { attempts, nextAt: clock.now() + wait, wait, held })
}

async function logout(
  context: SyncContext,
  model: LogoutModel,
  token: string,
): Promise<{ isOver: boolean; fault?: Unreachable }> {
  try {
    await model.logout(context, token)
    return { isOver: true }
  } catch (error) {
    if (error instanceof Refused) return { isOver: error.status === 401 }
    return { isOver: false, fault: error instanceof Unreachable ? error : undefined }
  }
}
