import type { EntryState, OutboxEntry } from '#store/outbox/entry.ts'

/** The model's own list of the states in which an entry is still to be sent (S7, S9). */
const toBeSent: readonly EntryState[] = ['waiting', 'sending', 'retrying', 'parked']

/** Whether an entry has not ended: the person still means it. */
export const meansToSend = ({ state }: { state: EntryState }): boolean => toBeSent.includes(state)

/** Whether the person takes it back and the server's answer about its row is to end it (S56). */
export const isInDoubt = ({ state, takingBack }: Pick<OutboxEntry, 'state' | 'takingBack'>) =>
  state === 'parked' && takingBack === true
