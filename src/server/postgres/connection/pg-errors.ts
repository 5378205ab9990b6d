import { type Reason, Refusal } from '#domain/errors.ts'

/** What breaking each constraint means to the person who did. */
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
  transfers_one_way: 'wrong-status',
}

type PgError = { code?: string; constraint?: string; message: string }

/** What PostgreSQL or the way to it said, as a Refusal where people can be told; else as it was. */
export function toRefusal(error: unknown): unknown {
  const fault = findPgError(error)
  if (!fault) return error
  if (fault.code === '23505') {
    const reason = conflicts[fault.constraint ?? '']
    return reason ? new Refusal(reason) : error
  }
  // A value of a type PostgreSQL cannot read: it came with the request. Its words may repeat the value.
  if (fault.code?.startsWith('22')) return new Refusal('invalid')
  return isUnreachable(fault) ? Object.assign(new Refusal('unavailable'), { cause: error }) : error
}

/** Two transactions stood in each other's way, and nothing is wrong with either. */
export const isRetryable = (error: unknown): boolean =>
  ['40P01', '40001'].includes(findPgError(error)?.code ?? '')

/** Drizzle wraps what `pg` threw, and `pg` what the socket did: the innermost one that says a code, or the last. */
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

/** Shutting down, starting up, too many connections, time-outs; and the socket's own troubles. */
const downCodes = /^(57P0[1-5]|57014|53\d{3}|08\w{3}|55P03|40P01|40001|25P0[34]|E[A-Z]{3,})$/
const downWords = /connection|timeout exceeded|not queryable|client was closed/i

const isUnreachable = ({ code, message }: PgError) =>
  code === undefined ? downWords.test(message) : downCodes.test(code)
