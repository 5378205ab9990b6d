import type { Reason } from '#domain/errors.ts'
import { operations as all, type InputOf, type OperationName } from '#operations/index.ts'
import type { EngineDb } from '#sync/database/engine-db.ts'
import type { Operation, OutboxEntry } from '#sync/database/entry.ts'
import { unsentEntries } from '#sync/outbox/unsent.ts'

/** An entry of this product's outbox. */
export type Entry<O extends OperationName = OperationName> = OutboxEntry<O, InputOf<O>, Reason>

/** Entries of one operation of an account that still mean to reach the server, in the order they were made. */
export const unsentOf = async <O extends OperationName>(
  db: EngineDb,
  account: string,
  op: O,
): Promise<Entry<O>[]> =>
  (await unsentEntries(db, account)).filter((entry): entry is Entry<O> => entry.op === op)

/** Every operation, as the outbox needs it. */
export const operations: Record<string, Operation> = Object.fromEntries(
  Object.entries(all).map(([op, { input, queue = {} }]) => {
    const { urgent, isUpload, isAside } = queue
    return [op, { input, urgency: urgent ? 0 : isUpload ? 2 : 1, isUpload, isAside }]
  }),
)
