import type { Gives, Op } from '#contract/endpoints.ts'
import type { Query, Takes } from '#contract/queries.ts'
import type { Actor, Moment } from '#domain/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import type { User } from '#domain/user.ts'
import type { SmsMessage } from '../ports/ports.ts'
import type { Stores } from '../ports/repo.ts'

/** A call as the door let it in: its caller known, its body and query read. */
export type CallInput<O extends Op> = {
  /** Of the row in the path, in lower case. Empty where the path has none. */
  id: string
  input: Takes<O>
  query: Query<O>
  /** The request key, in lower case: the ID of what a create makes. */
  key?: string
  /** The server's time, ISO 8601. */
  at: string
  /** The server's time, and when the person says they acted. */
  when: Moment
  /** Of the caller, as `TRUST_PROXY` says; of IPv6 the network. */
  address: string
  /** The caller's browser and system in a few words, or empty. */
  device: string
  /** Hash of the caller's session token. */
  session?: string
}

/**
 * Answers one call of the table, in two steps: what is slow is done first (hashing), then the work
 * it gives back runs over the stores: in one transaction for a call that changes something.
 * That work awaits nothing but the stores, and may be run again.
 */
export type Handler<O extends Op> = (asked: CallInput<O>) => Work<O> | Promise<Work<O>>
/** `actor` as they are now, held still until the transaction ends. */
export type Work<O extends Op> = (
  stores: Stores,
  actor: Actor | undefined,
) => Promise<Reply<O> | CommittedRefusal>

export type Reply<O extends Op> = {
  body: Gives<O>
  /** What an admin's act was about, for the audit log, when the ID in the path does not say it. */
  subject?: string
  /** Sent once the transaction has committed. */
  texts?: SmsMessage[]
  headers?: Record<string, string>
  /** What the ETag is made of, when that is less than the whole body. */
  tag?: string
}
/** A refusal that takes effect (a counted try), where a thrown one undoes all. */
export type CommittedRefusal = { refusal: Refusal }

export type Handlers = { [O in Op]: Handler<O> }

/** The person behind a call that is made `by` one. */
export function requireUser(actor: Actor | undefined): User {
  if (!actor || !('user' in actor)) throw new Refusal('no-session')
  return actor.user
}

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
  return { limit: count, after, sort: sort || undefined, search: search?.trim() || undefined }
}
