/** Attempts that are limited, counted for all server processes. */
export type Attempts = {
  /** Others that lock this key wait until the transaction ends. */
  lock(key: string): Promise<void>
  /** Times of the attempts after `since`, oldest first. */
  since(key: string, since: string): Promise<string[]>
  /** The number of attempts after `since`. */
  count(key: string, since: string): Promise<number>
  add(attempt: { id: string; key: string; at: string }): Promise<void>
  removeById(id: string): Promise<void>
  forget(key: string): Promise<void>
  sweep(before: string): Promise<void>
}

/** In place of the fingerprint of a request that was taken back: no request has it (R154). */
export const withdrawnMark = 'withdrawn'

export type StoredAnswer = { fingerprint: string; status: number; sealed: Uint8Array }
export type Requests = {
  find(id: string): Promise<StoredAnswer | undefined>
  /** The answered ones of these, by ID. */
  findMany(ids: string[]): Promise<Map<string, StoredAnswer>>
  /** False when it was claimed before; waits for a claim that is still open. */
  claim(id: string, fingerprint: string, at: string): Promise<boolean>
  answer(id: string, status: number, sealed: Uint8Array): Promise<void>
  /** Deletes one, answered or claimed. */
  remove(id: string): Promise<void>
  /** Answered ones with a greater ID, in order of ID. */
  page(after: string, limit: number): Promise<(StoredAnswer & { id: string })[]>
  /** Deletes the older ones, but none that was taken back. */
  sweep(before: string): Promise<void>
}
