import type { BatchLine } from '#contract/batch.ts'
import { statusOf } from '#contract/wire-errors.ts'
import { Refusal } from '#domain/errors.ts'
import { refusalBody } from '../responses.ts'
import type { PlannedOperation } from './read-batch.ts'

/** The most operations of one batch that run at once. */
export const mostAtOnce = 6

export type Run = {
  /** The line of an operation whose outcome is known without running it: it is written in the same turn. */
  known(operation: PlannedOperation): BatchLine | undefined
  /** Runs one operation. It never rejects; `undefined` when it was not begun. */
  perform(operation: PlannedOperation): Promise<BatchLine | undefined>
  /** Receives each line once its outcome is durable, and after the lines of its parents. */
  say(line: BatchLine): void
  /** Whether nothing new may begin, because the client is gone. */
  isOver(): boolean
}

/**
 * Runs the operations of a batch side by side, each after its parents. What follows a failed one is
 * skipped. Resolves when nothing runs any more.
 */
export function runOperations(operations: PlannedOperation[], run: Run): Promise<void> {
  const waiting = new Map(operations.map((operation) => [operation, operation.parents.length]))
  const children = childrenOf(operations)
  const failed = new Set<PlannedOperation>()
  const ready = operations.filter(({ parents }) => parents.length === 0)
  let running = 0

  return new Promise((resolve) => {
    const finish = (operation: PlannedOperation, line: BatchLine) => {
      if (line.status >= 400) failed.add(operation)
      run.say(line)
      for (const child of children.get(operation) ?? []) {
        const left = (waiting.get(child) ?? 0) - 1
        waiting.set(child, left)
        if (left > 0) continue
        if (child.parents.some((parent) => failed.has(parent))) finish(child, skipped(child))
        else ready.push(child)
      }
    }
    const start = async (operation: PlannedOperation) => {
      running++
      const line = await run.perform(operation)
      running--
      if (line) finish(operation, line)
      proceed()
    }
    const proceed = () => {
      while (running < mostAtOnce && !run.isOver()) {
        const next = ready.shift()
        if (!next) break
        const line = run.known(next)
        if (line) finish(next, line)
        else void start(next)
      }
      if (running === 0) resolve()
    }
    proceed()
  })
}

function childrenOf(operations: PlannedOperation[]) {
  const children = new Map<PlannedOperation, PlannedOperation[]>()
  for (const operation of operations)
    for (const parent of operation.parents)
      children.set(parent, [...(children.get(parent) ?? []), operation])
  return children
}

const skipped = ({ key }: PlannedOperation): BatchLine => ({
  key,
  status: statusOf.skipped,
  body: refusalBody(new Refusal('skipped')),
})
