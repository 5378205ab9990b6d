import { test } from '@playwright/test'
import { once, peersServer, runs, type Side, startedServer } from './bench.ts'
import { compare } from './table.ts'

const server = peersServer()
const count = 100
/** Round trip in milliseconds; one response of 20 is lost, one request of 100 gets 503. */
const network = { roundTrip: 400, loseEvery: 20, refuseEvery: 100 }

/*
 * The peer sends one request at a time and takes three quarters of a minute, almost all of it waiting; so its
 * runs are concurrent, each with a server of its own, and ours run one after another.
 */
test('100 replayed at 400 ms round trip, 5 % of answers lost, 1 % answered 503', async () => {
  const common = { call: 'replay', expected: count, durability: 'strict' as const }
  for (const hasReports of [true, false]) {
    const args = [count, hasReports]
    const far: Side = { ...common, args, name: 'tanstack' }
    const theirs = Promise.all(
      Array.from({ length: runs }, async () => {
        const own = await startedServer()
        return once(own, { network }, far).finally(() => own.close())
      }),
    )
    const ours = []
    for (let run = 0; run < runs; run++)
      ours.push(await once(server(), { network }, { ...common, args, name: 'ours' }))
    const what = hasReports ? '50 requests of guests, a report on each' : '100 requests of guests'
    const work = `${what}, at 400 ms, 5 % lost, 1 % 503`
    const note = hasReports ? 'Each report has its own guest’s token, so none shares a batch.' : ''
    compare({ work, against: 'TanStack', note }, ours, await theirs)
  }
})
