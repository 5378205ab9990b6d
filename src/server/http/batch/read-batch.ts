import { Batch, type BatchOperation } from '#contract/batch.ts'
import { Refusal } from '#domain/errors.ts'
import { parseShape, readJson } from '../read-request.ts'

/** The most bytes of a batch, and the milliseconds it may take: 1 MB at 3 kB/s. */
const batchBody = { bytes: 1_048_576, within: 350_000 }

/** An operation with the operations of its batch that it waits for. */
export type PlannedOperation = BatchOperation & { parents: PlannedOperation[] }

/**
 * The operations of a batch in their order (R88). Refusals of the whole batch: malformed, too-large,
 * invalid (wrong shapes, a key twice, a cycle).
 */
export async function readBatch(request: Request): Promise<PlannedOperation[]> {
  const { operations } = parseShape(Batch, await readJson(request, batchBody))
  return plan(operations)
}

/** Resolves `after`. Refusal: invalid, for a key twice or a cycle. */
export function plan(operations: BatchOperation[]): PlannedOperation[] {
  const planned = operations.map((operation): PlannedOperation => ({ ...operation, parents: [] }))
  const byKey = new Map(planned.map((operation) => [operation.key.toLowerCase(), operation]))
  if (byKey.size < planned.length) throw new Refusal('invalid', 'A key is in the batch twice.')
  for (const operation of planned) {
    const parents = operation.after?.flatMap((key) => byKey.get(key.toLowerCase()) ?? [])
    operation.parents = [...new Set(parents)]
  }
  if (hasCycle(planned))
    throw new Refusal('invalid', 'Operations of the batch wait for each other.')
  return planned
}

/** Whether some operations wait for each other: then no order reaches all of them. */
function hasCycle(operations: PlannedOperation[]): boolean {
  const reached = new Set<PlannedOperation>()
  for (let before = -1; before < reached.size; ) {
    before = reached.size
    for (const operation of operations)
      if (operation.parents.every((parent) => reached.has(parent))) reached.add(operation)
  }
  return reached.size < operations.length
}
