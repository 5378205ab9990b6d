import type { InputOf, OperationName } from '#operations/index.ts'
import type { NewEntry as NewOutboxEntry } from '#sync/outbox/enqueue.ts'

/** What an entry of this product is made of. */
export type NewEntry<O extends OperationName = OperationName> = NewOutboxEntry<O, InputOf<O>>

/** Makes what an entry is made of, under a key of its own and this moment's time. */
export type MakeEntry = <O extends OperationName>(
  op: O,
  account: string,
  lane: string,
  input: InputOf<O>,
  title: string,
) => NewEntry<O>

/** `newId`: UUIDv7. `moment`: ISO time by this device's clock. */
export const entryMaker =
  (newId: () => string, moment: () => string): MakeEntry =>
  (op, account, lane, input, title) => ({
    id: newId(),
    account,
    op,
    lane,
    input,
    title,
    occurredAt: moment(),
  })

/** The lane of a person's reports about a delivery: they wait for little else that the person does with it. */
export const reportLane = (id: string): string => `issue:${id}`
