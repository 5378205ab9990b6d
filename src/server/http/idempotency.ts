import type { Endpoint, Op } from '#contract/endpoints.ts'
import { statusOf } from '#contract/errors.ts'
import { Refusal } from '#domain/errors.ts'
import type { Repo, StoredAnswer, Stores } from '../ports/repo.ts'
import type { Secrets } from '../ports/secrets.ts'

/** What a call is answered with, before it is written down as a response. */
export type Answer = { status: number; body: object }

export type KeyedCall = {
  key: string
  /** Who asks: a user's ID, a guest's delivery, or anybody. The same key of another is another key. */
  person: string
  /** The call with all it carries. */
  op: string
  path: string
  input: unknown
  at: string
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const isUuid = (text: string): boolean => uuid.test(text)

/** The request key of a call, in lower case. Refusal: invalid. */
export function readKey(header: string | null): string | undefined {
  if (header === null) return undefined
  if (!isUuid(header)) throw new Refusal('invalid', 'The Idempotency-Key must be a UUID.')
  return header.toLowerCase()
}

/*
 *   claim ──(ours)──▶ work ──▶ answer kept, in one transaction with the work's effect
 *     │                └─refused─▶ all undone; the refusal kept in a transaction of its own
 *     └──(was claimed; waits while the first is under way)──▶ the first answer again
 */

/**
 * Whether the answers of a call are stored under its request key: all final ones, successes alone, or
 * none. Of calls that need no token none is, for an answer may hold a token and a refusal costs
 * nothing to ask for; but a guest's create must be answered again.
 */
export function storagePolicy(
  op: Op,
  { access }: Pick<Endpoint, 'access'>,
): 'final' | 'success' | 'never' {
  if (access !== 'anyone' && access !== 'anyone-or-person') return 'final'
  return op === 'createGuestDelivery' ? 'success' : 'never'
}

/** ResponseOf the first final answer to this key again, or does the work and keeps its answer. */
export function storedAnswers(repo: Repo, secrets: Secrets) {
  const idOf = ({ person, key }: KeyedCall) => secrets.keyed('request', person, key)
  const fingerprintOf = ({ op, path, input }: KeyedCall) =>
    secrets.keyed('fingerprint', op, path, JSON.stringify(input ?? null))

  function reopen(keyed: KeyedCall, stored: StoredAnswer): Answer {
    if (stored.fingerprint !== fingerprintOf(keyed)) throw new Refusal('key-reused')
    return { status: stored.status, body: JSON.parse(secrets.open(stored.sealed, idOf(keyed))) }
  }

  async function keep(stores: Stores, keyed: KeyedCall, { status, body }: Answer) {
    const id = idOf(keyed)
    await stores.requests.answer(id, status, secrets.seal(JSON.stringify(body), id))
  }

  async function foundIn(stores: Stores, keyed: KeyedCall): Promise<Answer | undefined> {
    const stored = await stores.requests.find(idOf(keyed))
    return stored && reopen(keyed, stored)
  }

  /** The first answer if this key has one, and else undefined: ours to do. */
  async function claim(stores: Stores, keyed: KeyedCall): Promise<Answer | undefined> {
    if (await stores.requests.claim(idOf(keyed), fingerprintOf(keyed), keyed.at)) return undefined
    const first = await foundIn(stores, keyed)
    if (!first) throw new Refusal('unavailable')
    return first
  }

  return {
    find: (keyed: KeyedCall) => repo.read((stores) => foundIn(stores, keyed)),
    claim,
    keep,
    /** ResponseOf up a claim whose work takes effect without an answer to keep. */
    release: ({ requests }: Stores, keyed: KeyedCall) => requests.remove(idOf(keyed)),
    /** Keeps a refusal whose work was undone; or gives the first answer, where another was quicker. */
    async refuse(keyed: KeyedCall, answer: Answer): Promise<Answer | undefined> {
      return repo.transaction(async (stores) => {
        const first = await claim(stores, keyed)
        if (!first) await keep(stores, keyed, answer)
        return first
      })
    },
  }
}

const finalStatuses = new Set([400, 403, 404, 409])

/** Whether a rule's no is the last word on its request; who asks too often or is not known may yet be heard. */
export const isFinalRefusal = (refusal: Refusal): boolean =>
  finalStatuses.has(statusOf[refusal.reason]) && refusal.reason !== 'malformed'
