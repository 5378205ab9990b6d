import type * as z from 'zod/mini'

/*
 * The outbox entry and its states.
 *
 *   waiting ──▶ sending ──▶ done        shown for 72 h
 *      ▲           ├──────▶ retrying    no response: same key, later
 *      │           ├──────▶ refused     the server refused: needs the person
 *      │           └──────▶ parked      an hour of our server's failures: one try a day
 *      └── cancelled                    the person took it back, and it did not happen
 */

/** To be raised when an entry's shape changes, with the way from the one before in `upgrades.ts`. */
export const entryVersion = 2

export const entryStates = [
  'waiting',
  'sending',
  'retrying',
  'parked',
  'refused',
  'done',
  'cancelled',
] as const

export type EntryState = (typeof entryStates)[number]

/** `O`: operations, `I`: their input, `R`: why a request is refused; as the product names them. */
export type OutboxEntry<
  O extends string = string,
  I extends object = object,
  R extends string = string,
> = {
  /** Given by the database: the only order there is. */
  seq: number
  /** UUIDv7: the request key, the same for the life of the entry. */
  id: string
  account: string
  op: O
  v: number
  /** The row or other subject it is about; entries of one lane leave in order, one at a time. */
  lane: string
  /** Entries that must be done before this one may leave. */
  after: string[]
  /** Entries that are sent before this one, however they end; none that is parked holds it up. */
  follows?: string[]
  input: I
  /** IDs of the files it needs, under the name that is stored. */
  photos: string[]
  state: EntryState
  /** Tries without a response; they make the wait longer, never an end. */
  attempts: number
  /** Responses that were a failure of our server. */
  failures: number
  /** Milliseconds over which those failures have gone on; of the time between two of them no more than a bound. */
  failingFor?: number
  /** When the last of them came, milliseconds since 1970. */
  failedAt?: number
  /** When and how its last try ended, milliseconds since 1970; without a status nobody responded. */
  lastAnswer?: { at: number; status?: number }
  /** Milliseconds since 1970, by the device's clock: before it the entry is not tried. Read it through `Waits`. */
  nextAt: number
  /** How long the wait until `nextAt` was when it began, milliseconds: none is longer, whatever a clock says. */
  wait?: number
  /** The server named `nextAt` (Retry-After), or it can be undone until then (S60): no network makes it sooner. */
  held?: boolean
  lease?: { holder: string; until: number }
  /** A request for it has left, or may have: nobody here knows whether it arrived. */
  left?: boolean
  /**
   * The person takes back what may have arrived. `asked`: the server is asked to withdraw it, in place of the request
   * (S56). `unknown`: it cannot be asked, so that nobody knows whether it arrived, and nothing is sent (S73).
   */
  withdrawal?: 'asked' | 'unknown'
  error?: { reason: R; message: string; because?: string }
  /** ISO time at which the person acted, by this device's clock. */
  occurredAt: string
  /** When it reached its end, milliseconds since 1970. */
  endedAt?: number
  /** 1 while its outcome has not been shown to the person; indexed, so absent when seen. */
  unseen?: 1
  /**
   * 1 where it only belongs to another entry, as a file's upload does: lists and counts leave it out (S28).
   * Indexed, so absent otherwise.
   */
  isPart?: 1
  /** What to call it in a list. */
  title: string
}

/** What the outbox knows of an operation. */
export type Operation = {
  /** What an entry's input must look like to be sent. */
  input: z.ZodMiniType
  /** Lower leaves first; 1 when left out (S34). */
  urgency?: 0 | 1 | 2
  /** It carries a file: two of these leave at a time (S34). */
  isUpload?: true
  /** It follows the entries of its lane that were made before it, and none made later waits for it (S72). */
  isAside?: true
}

/** States in which an entry still means to reach the server. */
export const unsentStates: readonly EntryState[] = ['waiting', 'sending', 'retrying', 'parked']

/** Whether an entry still means to reach the server. */
export const isUnsent = (entry: { state: EntryState }) => unsentStates.includes(entry.state)

/** Whether a newer version of the app made it: it waits for the update (S57). */
export const needsUpdate = ({ v }: Pick<OutboxEntry, 'v'>): boolean => v > entryVersion

/** Whether the server may have done already what this entry asks: its response may have been lost (S32). */
export const mayHaveArrived = ({ state, left }: OutboxEntry): boolean =>
  left === true || state === 'sending'

/** Whether it can still be undone without a trace, if its time has not come (S60). */
export const isUndoable = ({
  held,
  state,
  left,
}: Partial<Pick<OutboxEntry, 'held' | 'state' | 'left'>>): boolean =>
  held === true && state === 'waiting' && left !== true

/** Of an entry that is tried now, whatever it waited for. */
export const triedNow = {
  state: 'waiting',
  nextAt: 0,
  failures: 0,
  failingFor: 0,
  held: false,
} as const

/** Ends an entry for good: what it asked is done, or the person took it back. `now`: milliseconds since 1970. */
export const ended = <E extends OutboxEntry>(
  entry: E,
  state: 'done' | 'cancelled',
  now: number,
): E => ({
  ...entry,
  state,
  endedAt: now,
  lease: undefined,
  // What the server would not have was declined, not cancelled, and says why.
  error: state === 'cancelled' && entry.state === 'refused' ? entry.error : undefined,
  unseen: state === 'done' ? 1 : undefined,
})

/** The server refused it: the person sees why, and may edit, try again or discard (S7). */
export const refusedEntry = <E extends OutboxEntry>(
  entry: E,
  error: NonNullable<E['error']>,
  now: number,
): E => ({ ...entry, state: 'refused', endedAt: now, lease: undefined, error, unseen: 1 })
