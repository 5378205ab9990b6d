import type { EntryState } from '#store/outbox/entry.ts'

/** The model's own list of the states in which an entry is still to be sent (S7, S9). */
const toBeSent: readonly EntryState[] = ['waiting', 'sending', 'retrying', 'parked']

/** Whether an entry is still to be sent. */
export const meansToSend = ({ state }: { state: EntryState }): boolean => toBeSent.includes(state)
