import fc from 'fast-check'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import type { BatchLine, BatchOperation } from '#contract/batch.ts'
import { plan } from '#server/http/batch/read-batch.ts'
import { runOperations } from '#server/http/batch/run-operations.ts'

/** Operations in any order that wait for others at random, without a cycle; some of them fail. */
const graphs = fc.integer({ min: 1, max: 40 }).chain((count) =>
  fc.record({
    parents: fc.tuple(
      ...Array.from({ length: count }, (_, at) =>
        at === 0 ? fc.constant<number[]>([]) : fc.array(fc.nat(at - 1), { maxLength: 3 }),
      ),
    ),
    fails: fc.array(fc.nat(count - 1), { maxLength: 4 }),
    order: fc.shuffledSubarray(
      Array.from({ length: count }, (_, at) => at),
      { minLength: count },
    ),
    stopAfter: fc.option(fc.nat(count)),
  }),
)

type Graph = { parents: number[][]; fails: number[]; order: number[]; stopAfter: number | null }

function operationsOf({ parents, order }: Graph): BatchOperation[] {
  const keys = parents.map(() => v7())
  return order.map((at) => ({
    key: keys[at] ?? '',
    method: 'POST',
    path: `/${at}`,
    // Upper case, a repetition, and a key that went earlier change nothing.
    after: [...(parents[at] ?? []).map((parent) => (keys[parent] ?? '').toUpperCase()), v7()],
  }))
}

const numberOf = ({ path }: { path: string }) => Number(path.slice(1))

test('R89: in any batch parents are answered first, and exactly what is below a failure is skipped', async () => {
  await fc.assert(
    fc.asyncProperty(graphs, fc.scheduler(), async (graph, scheduler) => {
      const operations = operationsOf(graph)
      const numbers = new Map(operations.map((each) => [each.key, numberOf(each)]))
      const lines: BatchLine[] = []
      const begun: number[] = []
      let running = 0
      let most = 0
      const isOver = () => graph.stopAfter !== null && lines.length > graph.stopAfter
      const done = runOperations(plan(operations), {
        isOver,
        known: () => undefined,
        say: (line) => lines.push(line),
        async perform(operation) {
          expect(isOver()).toBe(false)
          most = Math.max(most, ++running)
          begun.push(numberOf(operation))
          await scheduler.schedule(Promise.resolve())
          running--
          const status = graph.fails.includes(numberOf(operation)) ? 409 : 200
          return { key: operation.key, status, body: {} }
        },
      })
      await scheduler.waitFor(done)

      expect(running).toBe(0)
      expect(most).toBeLessThanOrEqual(6)
      const said = lines.map(({ key }) => numbers.get(key) ?? -1)
      expect(new Set(said).size).toBe(said.length)
      for (const [at, number] of said.entries())
        for (const parent of graph.parents[number] ?? [])
          expect(said.slice(0, at)).toContain(parent)
      // Whatever runs is finished, also when the client is gone.
      expect(said).toEqual(expect.arrayContaining(begun))
      if (graph.stopAfter === null) expect(said).toHaveLength(operations.length)
      const belowFailure = (number: number): boolean =>
        (graph.parents[number] ?? []).some(
          (parent) => graph.fails.includes(parent) || belowFailure(parent),
        )
      for (const { key, status, body } of lines) {
        const number = numbers.get(key) ?? -1
        if (!belowFailure(number)) expect(status).not.toBe(424)
        else expect({ status, body }).toMatchObject({ status: 424, body: { reason: 'skipped' } })
      }
    }),
    { seed: 88, numRuns: 300 },
  )
})

test('R88: operations that wait for each other are refused, in a cycle of any length', () => {
  fc.assert(
    fc.property(graphs, fc.integer({ min: 1, max: 10 }), (graph, length) => {
      const keys = Array.from({ length }, () => v7())
      const cycle = keys.map((key, at) => ({
        key,
        method: 'POST',
        path: '/',
        after: [keys[(at + 1) % length] ?? ''],
      }))
      expect(() => plan(operationsOf(graph))).not.toThrow()
      expect(() => plan([...operationsOf(graph), ...cycle])).toThrow(
        expect.objectContaining({ reason: 'invalid' }),
      )
    }),
    { seed: 89, numRuns: 100 },
  )
})
