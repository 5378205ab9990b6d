import type { EntryState, OutboxEntry } from '#sync/database/entry.ts'

/** The model's own list of the states in which an entry is still to be sent (S7, S9). */
const toBeSent: readonly EntryState[] = ['waiting', 'sending', 'retrying', 'parked']

/** Whether an entry has not ended: the person still means it. */
export const meansToSend = ({ state }: { state: EntryState }): boolean => toBeSent.includes(state)

type Waiting = Pick<OutboxEntry, 'state' | 'withdrawal' | 'error'>

/** Whether nobody knows what became of it, so that it waits for the person (S73). */
export const isInDoubt = ({ state, withdrawal }: Waiting) =>
  state === 'parked' && withdrawal === 'unknown'

/** Whether its guest has to get the delivery back first, which was opened on another phone (S74). */
export const isMoved = ({ state, error }: Waiting) =>
  state === 'parked' && error?.reason === 'moved'
