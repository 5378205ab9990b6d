import type { Endpoint, Op } from '#contract/endpoints.ts'
import { statusOf } from '#contract/errors.ts'
import { askOf } from '#contract/queries.ts'
import type { Actor } from '#domain/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import { guestReplay } from '../handlers/deliveries.ts'
import type { Ports, SmsMessage } from '../ports/ports.ts'
import type { Stores } from '../ports/repo.ts'
import { deviceName } from '../rules/accounts/device-name.ts'
import { recordAdminAction } from '../rules/audit.ts'
import {
  authenticate,
  authorize,
  type Caller,
  readInput,
  readOccurredAt,
  readQuery,
} from './authenticate.ts'
import type { CallInput, CommittedRefusal, Handler, Reply, Work } from './handler.ts'
import {
  type Answer,
  isFinalRefusal,
  isUuid,
  type KeyedCall,
  readKey,
  storagePolicy,
  storedAnswers,
} from './idempotency.ts'
import { conditionalResponse, jsonResponse, refusalBody, replayedHeaders } from './responses.ts'

/** The one place that lets in, reads, runs, remembers and answers every call of the table. */
export function calls(ports: Ports, send: (texts?: SmsMessage[]) => void) {
  const { repo, secrets, clock } = ports
  const keys = storedAnswers(repo, secrets)
  return async function answer<O extends Op>(
    op: O,
    endpoint: Endpoint,
    handler: Handler<O>,
    request: Request,
    rowId: string,
    address: string,
  ): Promise<Response> {
    const caller = await callerFor(endpoint, request)
    const at = new Date(clock()).toISOString()
    const reads = endpoint.method === 'GET'
    const key = reads ? undefined : readKey(request.headers.get('idempotency-key'))
    const occurredAt = reads ? undefined : readOccurredAt(request.headers.get('occurred-at'))
    const input = reads ? undefined : await readInput(askOf(op), request)
    const url = new URL(request.url)
    const query = readQuery(askOf(op), url)
    if (endpoint.path.includes(':id') && !isUuid(rowId)) throw new Refusal('not-found')
    const id = rowId.toLowerCase()
    // A door of its own: what was parsed by a line's schema has that line's type.
    const asked = {
      ...{ id, input, query, key, at, address, session: caller.session },
      device: deviceName(request.headers.get('user-agent')),
      when: occurredAt ? { at, occurredAt } : { at },
    } as CallInput<O>
    if (reads) return look(request, await handler(asked), caller)
    if (key === undefined || storagePolicy(op, endpoint) === 'never')
      return change(op, endpoint, handler, asked, caller)
    const keyed = { key, op, path: url.pathname, input, at, person: nameOf(caller.actor) }
    return once(keyed, op, endpoint, handler, asked, caller)
  }

  async function callerFor(endpoint: Endpoint, request: Request): Promise<Caller> {
    // A stale token must not keep anybody from logging in.
    if (endpoint.by === 'anyone') return {}
    const caller = await authenticate(ports, request.headers.get('authorization'))
    if (endpoint.by === 'anyone-or-person')
      return caller.actor && 'user' in caller.actor ? caller : {}
    authorize(endpoint.by, caller)
    return caller
  }

  async function look<O extends Op>(
    request: Request,
    work: Awaited<ReturnType<Handler<O>>>,
    { actor }: Caller,
  ) {
    const reply = await repo.read((stores) => work(stores, actor))
    if ('refusal' in reply) throw reply.refusal
    // The same rows look different to different eyes.
    const eyes = JSON.stringify(actor ?? null)
    return conditionalResponse(
      request,
      reply.body,
      `${eyes}\n${reply.tag ?? JSON.stringify(reply.body)}`,
    )
  }

  async function change<O extends Op>(
    op: O,
    endpoint: Endpoint,
    handler: Handler<O>,
    asked: CallInput<O>,
    caller: Caller,
  ) {
    const work = await handler(asked)
    const reply = await repo.transaction((stores) => act(stores, op, work, asked, caller))
    if ('refusal' in reply) throw reply.refusal
    send(reply.texts)
    return jsonResponse(endpoint.status, reply.body, reply.headers)
  }

  /** Runs the work as the caller is now, and writes an admin's act down with it. */
  async function act<O extends Op>(
    stores: Stores,
    op: O,
    work: Work<O>,
    asked: CallInput<O>,
    caller: Caller,
  ) {
    const actor = await asNow(stores, caller.actor)
    const reply = await work(stores, actor)
    if (!('refusal' in reply)) await recordAdminAction(stores, secrets, op, asked, actor, reply)
    return reply
  }

  async function once<O extends Op>(
    keyed: KeyedCall,
    op: O,
    endpoint: Endpoint,
    handler: Handler<O>,
    asked: CallInput<O>,
    caller: Caller,
  ): Promise<Response> {
    const again = async (first: Answer) => {
      const { status, body } =
        op === 'createGuestDelivery' ? await guestReplay(repo, asked.input, first) : first
      return jsonResponse(status, body, replayedHeaders)
    }
    const keepsRefusals = storagePolicy(op, endpoint) === 'final'
    const first = await keys.find(keyed)
    if (first) return again(first)
    try {
      const work = await handler(asked)
      const done = await repo.transaction(async (stores) => {
        const first = await keys.claim(stores, keyed)
        if (first) return { first }
        const reply = await act(stores, op, work, asked, caller)
        if ('refusal' in reply && !keepsRefusals) await keys.release(stores, keyed)
        else await keys.keep(stores, keyed, answerOf(reply, endpoint))
        return { reply }
      })
      if (done.first) return again(done.first)
      if ('refusal' in done.reply) throw new Kept(done.reply.refusal)
      send(done.reply.texts)
      return jsonResponse(endpoint.status, done.reply.body, done.reply.headers)
    } catch (error) {
      if (error instanceof Kept) throw error.refusal
      if (!(error instanceof Refusal) || !isFinalRefusal(error) || !keepsRefusals) throw error
      const quicker = await keys.refuse(keyed, refused(error))
      if (quicker) return again(quicker)
      throw error
    }
  }
}

/** A refusal that was kept together with its effect. */
class Kept extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

const answerOf = (reply: Reply<Op> | CommittedRefusal, { status }: Endpoint): Answer =>
  'refusal' in reply ? refused(reply.refusal) : { status, body: reply.body }

const refused = (refusal: Refusal): Answer => ({
  status: statusOf[refusal.reason],
  body: refusalBody(refusal),
})

const nameOf = (actor: Actor | undefined) =>
  !actor ? 'anonymous' : 'user' in actor ? actor.user.ID : `guest of ${actor.guestOf}`

/**
 * The caller's account as it is in this transaction, and stays until its end. Locked as for a change:
 * a weaker lock that a handler then raised would make the calls of one person deadlock with each other.
 * Refusal: no-session.
 */
async function asNow(stores: Stores, actor: Actor | undefined): Promise<Actor | undefined> {
  if (!actor || !('user' in actor)) return actor
  const user = await stores.users.lock(actor.user.ID)
  if (!user) throw new Refusal('no-session')
  return { user }
}
