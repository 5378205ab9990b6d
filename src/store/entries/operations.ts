import { operations as all, type InputOf, type OperationName } from '#operations/index.ts'
import type { Operation, OutboxEntry } from '#sync/database/entry.ts'

/** An entry of this product's outbox. */
export type Entry<O extends OperationName = OperationName> = OutboxEntry<O, InputOf<O>>

/** Every operation, as the outbox needs it. */
export const operations: Record<string, Operation> = Object.fromEntries(
  Object.entries(all).map(([op, { input, queue = {} }]) => {
    const { urgent, isUpload, isAside } = queue
    return [op, { input, urgency: urgent ? 0 : isUpload ? 2 : 1, isUpload, isAside }]
  }),
)
