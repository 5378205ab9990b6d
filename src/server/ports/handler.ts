import type { Op, ResponseOf } from '#contract/endpoints.ts'
import type { BodyOf, QueryOf } from '#contract/queries.ts'
import type { ActionTime, Actor } from '#domain/deliveries/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import { soughtText } from '#domain/office/search-text.ts'
import type { User } from '#domain/users/user.ts'
import type { Log, SmsMessage } from './ports.ts'
import type { Stores } from './repo.ts'

/** A call as its handler gets it: parsed and authenticated. */
export type HandlerInput<O extends Op> = {
  /** Of the row in the path, in lower case, the request key, the support code or an invitation's secret. Empty where the path has none. */
  id: string
  input: BodyOf<O>
  query: QueryOf<O>
  /** The request key, in lower case: the ID of what a create makes (R72). */
  key?: string
  /** The server's time, ISO 8601. */
  at: string
  /** The server's time, and when the person says they acted. */
  when: ActionTime
  /** The caller's address, read as `TRUST_PROXY` says; for IPv6 the network. */
  address: string
  /** The challenge that came solved with the call (R143). */
  solved?: string
  /** The caller's browser and system in a few words, or empty. */
  device: string
  /** Hash of the caller's session token. */
  session?: string
  /** Hash of the caller's guest token. */
  guest?: string
  /** Hash of the track token a recipient sent (R111). */
  track?: string
  /** The log, with this request in every line. */
  log: Log
}

/**
 * Handles one line of the endpoint table in two steps. The handler does what is slow (hashing) and returns the
 * work, which runs over the stores: in one transaction when the call changes something. The work awaits nothing
 * but the stores and may run again.
 */
export type Handler<O extends Op> = (asked: HandlerInput<O>) => Work<O> | Promise<Work<O>>
/**
 * `actor` is the caller as the transaction reads them; their row is locked until it ends. `alsoLocks`: other accounts
 * that the work changes. All are locked before anything else, in order of ID, so that two calls that lock the same
 * people never wait for each other (R138).
 */
export type Work<O extends Op> = ((
  stores: Stores,
  actor: Actor | undefined,
) => Promise<Reply<O> | CommittedRefusal>) & { alsoLocks?: readonly string[] }

export type Reply<O extends Op> = {
  body: ResponseOf<O>
  /** In place of the endpoint's own: what was asked has not happened, but something else has (R124). */
  status?: 202
  /** What an admin's action was about, for the audit log, when the ID in the path does not say it. */
  subject?: string
  /** SMS, sent once the transaction has committed. */
  messages?: SmsMessage[]
  headers?: Record<string, string>
  /** What the ETag is made of, when that is less than the whole body. */
  tag?: string
}
/** A refusal whose transaction commits (it counts an attempt). A thrown refusal rolls back. */
export type CommittedRefusal = { refusal: Refusal }

export type Handlers = { [O in Op]: Handler<O> }

/** The account behind a call. Refusal: no-session. */
export function requireUser(actor: Actor | undefined): User {
  if (!actor || !('user' in actor)) throw new Refusal('no-session')
  return actor.user
}

/** The account or guest behind a call. Refusal: no-session. */
export function requireActor(actor: Actor | undefined): Actor {
  if (!actor) throw new Refusal('no-session')
  return actor
}

const maxLimit = 1_000

/** The `limit`, `after`, `sort` and `search` of a list. Refusal: invalid. */
export function readPage(query: {
  limit?: string
  after?: string
  sort?: string
  search?: string
}) {
  const { limit, after, sort, search } = query
  const count = limit === undefined ? maxLimit : Number(limit)
  if (limit === '' || !Number.isInteger(count) || count < 1 || count > maxLimit)
    throw new Refusal('invalid', `The limit must be a whole number from 1 to ${maxLimit}.`)
  return {
    limit: count,
    after,
    sort: sort || undefined,
    search: soughtText(search ?? '') || undefined,
  }
}
