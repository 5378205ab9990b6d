import type { Actor } from '#domain/deliveries/delivery.ts'
/** Attempts that are limited, counted for all server processes. */
export type Attempts = {
  /** Others that lock this key wait until the transaction ends. */
  lock(key: string): Promise<void>
  /** Times of the attempts after `since`, oldest first. */
  since(key: string, since: string): Promise<string[]>
  /** The number of attempts after `since`. */
  count(key: string, since: string): Promise<number>
  add(attempt: { id: string; key: string; at: string }): Promise<void>
  /** Counts one more in a window of one row; `undefined`, and nothing is counted, when the request `unless` has a response. */
  countUp(counted: CountedTime): Promise<Counted | undefined>
  removeById(id: string): Promise<void>
  forget(key: string): Promise<void>
  sweep(before: string): Promise<void>
}

/** In place of the fingerprint of a request that was taken back: no request has it (R154). */
export const withdrawnMark = 'withdrawn'
/** A window that began before `since` or after `until` is over: the next one begins at `at`. */
type CountedTime = { key: string; at: string; since: string; until: string; unless?: string }
/** How many there are in the window, and when it began. */
export type Counted = { count: number; began: string }

/** The most bytes of a stored response, sealed (R141). The index `requests_too_large` names the same number. */
export const maxSealed = 8_192

export type StoredResponse = { fingerprint: string; status: number; sealed: Uint8Array }
export type Requests = {
  find(id: string): Promise<StoredResponse | undefined>
  /** The answered ones of these, by ID. */
  findMany(ids: string[]): Promise<Map<string, StoredResponse>>
  /**
   * False when it was claimed before; waits for a claim that is still open. `person`: the ID of the account, or of the
   * guest's delivery, that sent it.
   */
  claim(id: string, fingerprint: string, at: string, person?: string): Promise<boolean>
  answer(id: string, status: number, sealed: Uint8Array): Promise<void>
  /** Deletes one, answered or claimed. */
  remove(id: string): Promise<void>
  /** Answered ones with a greater ID, in order of ID. */
  page(after: string, limit: number): Promise<(StoredResponse & { id: string })[]>
  /** Answered ones whose sealed response has more than `maxSealed` bytes. */
  tooLarge(limit: number): Promise<(StoredResponse & { id: string })[]>
  /** Deletes what was claimed before `before`, and refusals from before `refusalsBefore`, but none that was taken back. */
  sweep(before: string, refusalsBefore: string): Promise<void>
}

/** The ID of the account or guest's delivery in a `personKey`; `undefined` without a caller. */
export const personIn = (key: string): string | undefined =>
  key === personKey(undefined) ? undefined : key.split(' ').at(-1)

/** Whose a request key is: a part of stored keys, so another text would make stored responses unfindable. */
export const personKey = (actor: Actor | undefined) =>
  !actor ? 'anonymous' : 'user' in actor ? actor.user.ID : `guest of ${actor.guestOf}`
