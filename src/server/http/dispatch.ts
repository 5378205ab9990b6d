import type { Op } from '#contract/endpoints.ts'
import { requestSchemaOf } from '#contract/queries.ts'
import type { Actor } from '#domain/deliveries/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import { isDeletedUser } from '#domain/personal/deleted-user.ts'
import { readSupportCode } from '#domain/support-code.ts'
import { isSuspended } from '#domain/users/standing/suspension.ts'
import type { User } from '#domain/users/user.ts'
import type { Endpoint } from '#operations/endpoint.ts'
import { challenges } from '../limits/challenges.ts'
import { changeLimit } from '../limits/change-limit.ts'
import { fairQueue } from '../limits/fair-queue.ts'
import type {
  CommittedRefusal,
  Handler,
  HandlerInput,
  Handlers,
  Reply,
  Work,
} from '../ports/handler.ts'
import type { Log, Ports } from '../ports/ports.ts'
import type { Stores } from '../ports/repo.ts'
import { isInvitationSecret } from '../ports/secrets.ts'
import { personKey } from '../ports/stores/request-store.ts'
import { deviceName } from '../rules/accounts/device-name.ts'
import { isAuditedRead, recordAdminAction } from '../rules/audit.ts'
import { authorize, type Caller } from './authenticate.ts'
import {
  isFinalRefusal,
  isUuid,
  type KeyedCall,
  type KeyedResponse,
  readKey,
  refusalResponse,
  storagePolicy,
  storedResponses,
} from './idempotency/idempotency.ts'
import { replayResponse } from './idempotency/replays.ts'
import { parse, readOccurredAt, readQuery, type Sent } from './read-request.ts'
import { isReplicaRead } from './replica-reads.ts'
import { conditionalOutcome, type Outcome, replayedHeaders } from './responses.ts'
import type { SmsSender } from './sms-sender.ts'

/** One call of a line of the endpoint table: a request of its own, or an operation of a batch. */
export type Call<O extends Op> = {
  op: O
  endpoint: Endpoint
  handler: Handler<O>
  sent: Sent
  /** The `:id`, `:key`, `:code` or `:secret` of the path as it was sent, or empty. */
  pathParameter: string
  /** Who the token that came with the call belongs to. */
  authenticate(): Promise<Caller>
  /** Finds the stored response where the caller has read those of several calls together. */
  findStored?(keyed: KeyedCall): Promise<KeyedResponse | undefined>
  /** The caller's network address. */
  address: string
  log: Log
}

/** A call whose caller is known and whose input is parsed. */
type ReadCall<O extends Op> = Call<O> & { caller: Caller; input: HandlerInput<O> }

/*
 *   authenticate → read the input ─┬─ GET ─────────────────────────▶ respondToRead
 *                                  └─ change: in the caller's turn ─┬─ without key ─▶ respondToChange
 *                                                                   └─ with key ────▶ respondOnce (R70)
 */

/** Changes that run at once in this process: enough to keep two cores busy. */
const changesAtOnce = 4
/** The most changes that wait for one caller. */
const mostWaiting = 100

/** `dispatch` responds to every call of the endpoint table. It throws what `errorOutcome` handles. */
export function createDispatcher(ports: Ports, { send }: SmsSender) {
  const { repo, secrets } = ports
  const responses = storedResponses(repo, secrets)
  const limit = changeLimit(ports)
  // A logout is never refused for too many changes (R140).
  const isCounted = (op: Op) => op !== 'logout'
  const knownRefusal = (op: Op, ...of: Parameters<typeof limit.known>) =>
    isCounted(op) ? limit.known(...of) : undefined
  const countChange = async (op: Op, ...of: Parameters<typeof limit.count>) => {
    if (isCounted(op)) await limit.count(...of)
  }
  // Changes of one caller lock the same row: side by side they would only hold connections (R142).
  const inTurn = fairQueue(changesAtOnce, mostWaiting)
  const findDelivery = (id: string) => repo.read(({ deliveries }) => deliveries.get(id))
  const proofs = challenges(ports)

  async function respondToRead<O extends Op>({ op, handler, sent, caller, input }: ReadCall<O>) {
    const work = await handler(input)
    const read = isAuditedRead(op)
      ? repo.transaction
      : (isReplicaRead(op) && repo.readAtReplica) || repo.read
    const reply = await read(async (stores) => {
      const reply = await work(stores, caller.actor)
      if (isAuditedRead(op) && !('refusal' in reply))
        await recordAdminAction(stores, secrets, op, input, caller.actor, reply)
      return reply
    })
    if ('refusal' in reply) throw reply.refusal
    // The reader is part of the tag: two people see different fields of the same rows.
    const reader = JSON.stringify(caller.actor ?? null)
    const material = reply.tag ?? JSON.stringify(reply.body)
    return conditionalOutcome(sent.heldTags, reply.body, `${reader}\n${material}`)
  }

  async function respondToChange<O extends Op>(call: ReadCall<O>) {
    await countChange(call.op, call.caller.actor, call.input.at)
    const work = await call.handler(call.input)
    const reply = await repo.transaction(async (stores) =>
      runWork(
        stores,
        work,
        call,
        await reloadCaller(stores, call.caller.actor, call.input.at, work.alsoLocks),
      ),
    )
    if ('refusal' in reply) throw reply.refusal
    return respond(reply, call)
  }

  /** Answers with the stored response of this key, or does the work and stores its response with its effect. */
  async function respondOnce<O extends Op>(call: ReadCall<O>, keyed: KeyedCall): Promise<Outcome> {
    const { op, endpoint, handler, input, findStored } = call
    const storesRefusals = storagePolicy(op, endpoint) === 'final'
    const replay = async (first: KeyedResponse) => {
      const repeated = { op, input: input.input, first }
      const { status, body } = await replayResponse(findDelivery, call.caller.actor, repeated)
      return { status, body, headers: replayedHeaders }
    }
    const { actor } = call.caller
    // A caller who is known to be over the limit costs one read of the stored response, and no count.
    const find = findStored ?? (knownRefusal(op, actor, keyed.at) && responses.find)
    const first = await find?.(keyed)
    if (first) return replay(first)
    await countChange(op, actor, keyed.at, responses.idOf(keyed), find !== undefined)
    try {
      const work = await handler(input)
      const done = await repo.transaction(async (stores) => {
        // Both statements are sent at once.
        const [first, actor] = await Promise.all([
          responses.claim(stores, keyed),
          reloadCaller(stores, call.caller.actor, keyed.at, work.alsoLocks),
        ])
        if (first) return { first }
        const reply = await runWork(stores, work, call, actor)
        if ('refusal' in reply && !storesRefusals) await responses.release(stores, keyed)
        else await responses.keep(stores, keyed, responseOf(reply, endpoint))
        return { reply }
      })
      if (done.first) return replay(done.first)
      if ('refusal' in done.reply) throw new CommittedRefusalError(done.reply.refusal)
      return respond(done.reply, call)
    } catch (error) {
      if (error instanceof CommittedRefusalError) throw error.refusal
      if (!(error instanceof Refusal) || !isFinalRefusal(error) || !storesRefusals) throw error
      const earlier = await responses.refuse(keyed, refusalResponse(error))
      if (earlier) return replay(earlier)
      throw error
    }
  }

  /** Runs the work for the caller as they are now, and records an admin's action (R57). */
  async function runWork<O extends Op>(
    stores: Stores,
    work: Work<O>,
    { op, input }: ReadCall<O>,
    actor: Actor | undefined,
  ) {
    const reply = await work(stores, actor)
    if (!('refusal' in reply)) await recordAdminAction(stores, secrets, op, input, actor, reply)
    return reply
  }

  function respond<O extends Op>(reply: Reply<O>, { endpoint, log }: ReadCall<O>) {
    send(reply.messages, log)
    return { status: reply.status ?? endpoint.status, body: reply.body, headers: reply.headers }
  }

  function respondToCall<O extends Op>(call: ReadCall<O>, at: string): Promise<Outcome> {
    const { op, endpoint, sent, caller, input } = call
    const { key } = input
    if (key === undefined || storagePolicy(op, endpoint) === 'never') return respondToChange(call)
    const path = sent.url.pathname
    const person = personKey(caller.actor)
    return respondOnce(call, { key, op, path, input: input.input, at, person })
  }

  async function perform<O extends Op>(call: Call<O>): Promise<Outcome> {
    const { op, endpoint, sent, address } = call
    const isRead = endpoint.method === 'GET'
    const caller = await identifyCaller(call)
    const at = new Date(ports.clock()).toISOString()
    const input = await readCall(call, caller, at).catch(async (error: unknown) => {
      if (!isRead) await countChange(op, caller.actor, at)
      throw error
    })
    // Only calls that somebody without a token can make are limited by address.
    const isLimited = !isRead && endpoint.access.startsWith('anyone')
    if (isLimited) input.solved = await proofs.check(sent.challenge, address)
    const read = { ...call, caller, input }
    if (isRead) return respondToRead(read)
    // A caller who is known to be over the limit takes no place in the queue (R140).
    return caller.actor && !knownRefusal(op, caller.actor, at)
      ? inTurn(personKey(caller.actor), 1, () => respondToCall(read, at))
      : respondToCall(read, at)
  }

  async function dispatch<O extends Op>(call: Call<O>): Promise<Outcome> {
    try {
      return await perform(call)
    } catch (error) {
      await proofs.attach(error, call.address)
      throw error
    }
  }

  return { dispatch, knownRefusal }
}

/** The handlers, the function that makes each of their calls, and the refusal of who is known to make too many. */
export type Calls = { handlers: Handlers } & ReturnType<typeof createDispatcher>

async function identifyCaller<O extends Op>({ endpoint, authenticate }: Call<O>): Promise<Caller> {
  const { access } = endpoint
  // An expired token must not keep anybody from logging in.
  if (access === 'anyone') return {}
  const caller = await authenticate()
  if (access !== 'anyone-or-person') return caller
  return caller.actor && 'user' in caller.actor ? caller : {}
}

/** Lets the caller make the call, and reads its headers, body and query. Refusals: of `authorize`, malformed, invalid, too-large, not-found. */
async function readCall<O extends Op>(
  { op, endpoint, sent, pathParameter, address, log }: Call<O>,
  caller: Caller,
  at: string,
): Promise<HandlerInput<O>> {
  authorize(endpoint.access, caller)
  const { session, guest, track } = caller
  const isRead = endpoint.method === 'GET'
  const schema = requestSchemaOf(op)
  const key = isRead ? undefined : readKey(sent.key)
  const occurredAt = isRead ? undefined : readOccurredAt(sent.occurredAt)
  const body = isRead ? undefined : await sent.readBody()
  const input = isRead || !schema.body ? undefined : parse(schema.body, body)
  const query = readQuery(schema, sent.url)
  const id = readPathParameter(endpoint, pathParameter)
  // The schemas of this line parsed both, so they have this line's types.
  return {
    id,
    input,
    query,
    key,
    at,
    address,
    session,
    guest,
    track,
    device: deviceName(sent.userAgent),
    when: occurredAt ? { at, occurredAt } : { at },
    log,
  } as HandlerInput<O>
}

/** What a call is about, in its one spelling; empty where the path names nothing. Refusal: not-found. */
function readPathParameter({ path }: Endpoint, text: string): string {
  if (/:(id|key)/.test(path) && isUuid(text)) return text.toLowerCase()
  if (path.includes(':secret') && isInvitationSecret(text)) return text
  const code = path.includes(':code') ? readSupportCode(text) : undefined
  if (code === undefined && path.includes(':')) throw new Refusal('not-found')
  return code ?? ''
}

/** Carries a refusal that is committed with its effect past the branch that would store it again. */
class CommittedRefusalError extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

const responseOf = (reply: Reply<Op> | CommittedRefusal, { status }: Endpoint): KeyedResponse =>
  'refusal' in reply
    ? refusalResponse(reply.refusal)
    : { status: reply.status ?? status, body: reply.body }

/**
 * The caller's account as it is in this transaction, locked until its end. The lock is the one a change
 * needs: a weaker one that a handler then raised would deadlock two calls of one person. `others`: accounts that are
 * locked with it, in order of ID (R138). Refusal: no-session.
 */
async function reloadCaller(
  stores: Stores,
  actor: Actor | undefined,
  at: string,
  others: readonly string[] = [],
): Promise<Actor | undefined> {
  const own = actor && 'user' in actor ? actor.user.ID : undefined
  const people = new Set(own === undefined ? others : [own, ...others])
  let user: User | undefined
  for (const id of [...people].sort()) {
    const locked = await stores.users.lock(id)
    if (id === own) user = locked
  }
  if (own === undefined) return actor
  // A call that was under way when the account was deleted must not write to it again (R216), nor one of a person who was
  // suspended meanwhile (R198).
  if (!user || isDeletedUser(user) || isSuspended(user, at)) throw new Refusal('no-session')
  return { user }
}
