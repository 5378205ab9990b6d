import { type Reason, Refusal } from '#domain/errors.ts'

/** The refusal for breaking each constraint. */
const conflicts: Record<string, Reason> = {
  deliveries_one_active_job: 'active-job',
  deliveries_one_active_delivery: 'active-delivery',
  users_email: 'email-taken',
  users_verified_phone: 'phone-taken',
  zones_name: 'name-taken',
  items_name: 'name-taken',
  deliveries_pkey: 'key-reused',
  disputes_pkey: 'key-reused',
  zones_pkey: 'key-reused',
  items_pkey: 'key-reused',
  transfers_once: 'wrong-status',
  entries_escrow_covers: 'wrong-status',
}

type PgError = { code?: string; constraint?: string; message: string }

/** An error of PostgreSQL or of the connection as a Refusal, where there is one for it; else unchanged. */
export function toRefusal(error: unknown): unknown {
  const fault = findPgError(error)
  if (!fault) return error
  // A unique index, or a check.
  if (fault.code === '23505' || fault.code === '23514') {
    const reason = conflicts[fault.constraint ?? '']
    return reason ? new Refusal(reason) : error
  }
  // Class 22: PostgreSQL could not read a value of the request. Its message may repeat the value.
  if (fault.code?.startsWith('22')) return new Refusal('invalid')
  return isUnreachable(fault) ? Object.assign(new Refusal('unavailable'), { cause: error }) : error
}

/** Whether a deadlock or a serialization failure ended the transaction: it can run again. */
export const isRetryable = (error: unknown): boolean =>
  ['40P01', '40001'].includes(findPgError(error)?.code ?? '')

/** Whether a statement gave up waiting for a lock: after `lock_timeout`, or because of a deadlock. */
export const isLockRefused = (error: unknown): boolean =>
  ['55P03', '40P01'].includes(findPgError(error)?.code ?? '')

/** Drizzle wraps errors of `pg`, and `pg` those of the socket: the first with a code, or the innermost. */
function findPgError(error: unknown): PgError | undefined {
  let found: PgError | undefined
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof Refusal) return undefined
    const { code, constraint } = at as { code?: unknown; constraint?: unknown }
    found = {
      message: at.message,
      code: typeof code === 'string' ? code : undefined,
      constraint: typeof constraint === 'string' ? constraint : undefined,
    }
    if (found.code) return found
  }
  return found
}

/** Error codes of a database that is stopping, starting, full, timed out or now a standby, and of the socket. */
const downCodes = /^(57P0[1-5]|57014|25006|53\d{3}|08\w{3}|55P03|40P01|40001|25P0[34]|E[A-Z]{3,})$/
const downWords = /connection|timeout exceeded|read timeout|not queryable|client was closed/i

const isUnreachable = ({ code, message }: PgError) =>
  code === undefined ? downWords.test(message) : downCodes.test(code)
