import type { Op } from '#contract/endpoints.ts'
import { statusOf } from '#contract/wire-errors.ts'
import { Refusal } from '#domain/errors.ts'
import type { Endpoint } from '#operations/endpoint.ts'
import type { Repo, Stores } from '../../ports/repo.ts'
import type { Secrets } from '../../ports/secrets.ts'
import {
  maxSealed,
  personIn,
  type StoredResponse,
  withdrawnMark,
} from '../../ports/stores/request-store.ts'
import { refusalBody } from '../responses.ts'
import { storedBody } from './stored-body.ts'

/** Status and body of the response to a call with a request key. */
export type KeyedResponse = { status: number; body: object }

/** A call with a request key (R70). */
export type KeyedCall = {
  key: string
  /** The caller: a user's ID, a guest's delivery, or anonymous. The same key of another caller is another key. */
  person: string
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
 *   claim ──(new)──▶ work ──▶ the response is stored, in one transaction with the work's effect
 *     │                └─refused─▶ rolled back; the refusal is stored in a transaction of its own
 *     └──(claimed before; waits while the first is under way)──▶ the first response again
 */

/**
 * Which responses of a call are stored under its request key: all final ones, successes alone, or none.
 * Calls that need no token store none, because a response may hold a secret and a refusal costs nothing to
 * repeat (R71). The exceptions are a guest's create and its withdrawal, which must be answered again. Of a call that
 * may carry a password or a code none is stored either.
 */
export function storagePolicy(
  op: Op,
  { access }: Pick<Endpoint, 'access'>,
): 'final' | 'success' | 'never' {
  if (unstored.has(op)) return 'never'
  if (!access.startsWith('anyone')) return 'final'
  return op === 'createGuestDelivery' || op === 'withdrawRequest' ? 'success' : 'never'
}

/** Beside the calls of nobody: what may carry a password or a code, and a link that is shown once (R209). */
const unstored = new Set<Op>([
  'changeProfile',
  'confirmPayout',
  'inviteColleague',
  'startSecondFactor',
  'confirmSecondFactor',
  'endSecondFactor',
])

/** The most bytes that sealing adds. */
const sealing = 40

/** The responses stored under request keys, sealed, with at most `maxSealed` bytes each (R141). */
export function storedResponses(repo: Repo, secrets: Secrets) {
  const idOf = ({ person, key }: Pick<KeyedCall, 'person' | 'key'>) =>
    secrets.keyed('request', person, key)
  const fingerprintOf = ({ op, path, input }: KeyedCall) =>
    secrets.keyed('fingerprint', op, path, JSON.stringify(input ?? null))

  /** Proof that a repeat comes from the phone that sent a guest's create; `undefined` for every other request. */
  const proofOf = (key: string, guestSecret: unknown) =>
    typeof guestSecret === 'string' && guestSecret !== ''
      ? secrets.keyed('guest secret', key, guestSecret)
      : undefined

  function unseal(
    id: string,
    { status, sealed }: StoredResponse,
  ): KeyedResponse & { proof?: string } {
    const { proof, ...body } = JSON.parse(secrets.open(sealed, id))
    return { status, body, proof }
  }

  function reopen(keyed: KeyedCall, stored: StoredResponse): KeyedResponse {
    if (stored.fingerprint === withdrawnMark) throw new Refusal('withdrawn')
    if (stored.fingerprint !== fingerprintOf(keyed)) throw new Refusal('key-reused')
    const { status, body } = unseal(idOf(keyed), stored)
    return { status, body }
  }

  const sealedBody = (body: object, id: string) =>
    secrets.seal(storedBody(body, maxSealed - sealing), id)

  async function keep(stores: Stores, keyed: KeyedCall, { status, body }: KeyedResponse) {
    const id = idOf(keyed)
    const { guestSecret } = (keyed.input ?? {}) as { guestSecret?: unknown }
    const stored = { ...body, proof: proofOf(keyed.key, guestSecret) }
    await stores.requests.answer(id, status, sealedBody(stored, id))
  }

  /**
   * Takes a request back (R154). Returns its response when it took effect, and else `undefined`: from then on
   * its key is refused for ever, also when it was refused before. Waits for one that is under way.
   * `guestSecret`: of a guest's create, which has no caller. Refusal: not-found (another phone's create).
   */
  async function withdraw(
    { requests }: Stores,
    of: Pick<KeyedCall, 'person' | 'key' | 'at'>,
    guestSecret?: string,
  ): Promise<KeyedResponse | undefined> {
    const id = idOf(of)
    const claimIt = () => requests.claim(id, withdrawnMark, of.at, personIn(of.person))
    if (!(await claimIt())) {
      const stored = await requests.find(id)
      if (!stored) throw new Refusal('unavailable')
      if (stored.fingerprint === withdrawnMark) return undefined
      const { status, body, proof } = unseal(id, stored)
      if (guestSecret !== undefined && proof !== proofOf(of.key, guestSecret))
        throw new Refusal('not-found')
      if (status < 400) return { status, body }
      await requests.remove(id)
      if (!(await claimIt())) throw new Refusal('unavailable')
    }
    const { status, body } = refusalResponse(new Refusal('withdrawn'))
    await requests.answer(id, status, secrets.seal(JSON.stringify(body), id))
  }

  /** Those of this caller's keys that have no stored outcome; withdrawn keys are included (R155). */
  async function unknownOf(stores: Stores, person: string, keys: readonly string[]) {
    const stored = await stores.requests.findMany(keys.map((key) => idOf({ person, key })))
    return keys.filter((key) => {
      const found = stored.get(idOf({ person, key }))
      return !found || found.fingerprint === withdrawnMark
    })
  }

  async function foundIn(stores: Stores, keyed: KeyedCall): Promise<KeyedResponse | undefined> {
    const stored = await stores.requests.find(idOf(keyed))
    return stored && reopen(keyed, stored)
  }

  /** The first response of this key; `undefined` when the key is new and the caller does the work. */
  async function claim(stores: Stores, keyed: KeyedCall): Promise<KeyedResponse | undefined> {
    const person = personIn(keyed.person)
    if (await stores.requests.claim(idOf(keyed), fingerprintOf(keyed), keyed.at, person))
      return undefined
    const first = await foundIn(stores, keyed)
    if (!first) throw new Refusal('unavailable')
    return first
  }

  /**
   * Reads the stored responses of several calls together. `find` gives one of them, as it was stored at that
   * moment; a call that another one overtakes since is found by `claim`.
   */
  async function findAll(calls: Pick<KeyedCall, 'person' | 'key'>[]) {
    const stored = await repo.read(({ requests }) => requests.findMany(calls.map(idOf)))
    return {
      has: (of: Pick<KeyedCall, 'person' | 'key'>) => stored.has(idOf(of)),
      async find(keyed: KeyedCall): Promise<KeyedResponse | undefined> {
        const first = stored.get(idOf(keyed))
        return first && reopen(keyed, first)
      },
    }
  }

  /** Cuts responses that a version before stored without a limit, and deletes those that cannot be opened (R141). */
  async function cutTooLarge(): Promise<void> {
    const pageSize = 100
    const cut = await repo.transaction(async ({ requests }) => {
      const found = await requests.tooLarge(pageSize)
      for (const { id, status, sealed } of found) {
        const smaller = cutOrNothing(sealed, id)
        await (smaller ? requests.answer(id, status, smaller) : requests.remove(id))
      }
      return found.length
    })
    if (cut === pageSize) await cutTooLarge()
  }

  function cutOrNothing(sealed: Uint8Array, id: string): Uint8Array | undefined {
    try {
      const cut = sealedBody(JSON.parse(secrets.open(sealed, id)), id)
      return cut.length <= maxSealed ? cut : undefined
    } catch {
      return undefined
    }
  }

  return {
    idOf,
    cutTooLarge,
    find: (keyed: KeyedCall) => repo.read((stores) => foundIn(stores, keyed)),
    findAll,
    claim,
    keep,
    withdraw,
    unknownOf,
    /** Gives up a claim whose work takes effect without a response to store. */
    release: ({ requests }: Stores, keyed: KeyedCall) => requests.remove(idOf(keyed)),
    /** Stores a refusal whose work was rolled back, or returns the first response when another call was faster. */
    async refuse(keyed: KeyedCall, answer: KeyedResponse): Promise<KeyedResponse | undefined> {
      return repo.transaction(async (stores) => {
        const first = await claim(stores, keyed)
        if (!first) await keep(stores, keyed, answer)
        return first
      })
    },
  }
}

export const refusalResponse = (refusal: Refusal): KeyedResponse => ({
  status: statusOf[refusal.reason],
  body: refusalBody(refusal),
})

const finalStatuses = new Set([400, 403, 404, 409])

/** Whether a refusal is final for its request. A rate limit, a missing session or a pause (R205) may pass later. */
export const isFinalRefusal = ({ reason }: Refusal): boolean =>
  finalStatuses.has(statusOf[reason]) && reason !== 'malformed' && reason !== 'paused'
