import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { faults, settling } from './faults.ts'
import { crowd, startCrowd } from './load/crowd.ts'
import { openJournal } from './load/journal.ts'
import { addPeople } from './load/people.ts'
import { until } from './machines/program.ts'
import { startTopology, type Topology } from './machines/topology.ts'
import { report } from './report.ts'
import { verifyDatabase, verifyPhones } from './verify.ts'

/* `npm run test:cluster`: the product on engines that fail over, while 50 clients use it. */

const isComplete = inject('missingPackages').length === 0

let topology: Topology
let isGood = false
beforeAll(async () => {
  if (isComplete) topology = await startTopology()
}, 120_000)
afterAll(() => topology?.stop(!isGood || process.env.CLUSTER_LOGS === 'keep'))

test.runIf(isComplete)(
  'R70, R73: under faults of every part no acknowledged change is lost or doubled, and phones catch up',
  async () => {
    const { origin, addresses } = topology
    const journal = openJournal()
    const drivers = await addPeople(addresses.direct, 'driver', crowd.drivers)
    const admins = await addPeople(addresses.direct, 'admin', crowd.admins)
    journal.begin('without a fault')
    const load = startCrowd(origin, journal, { drivers, admins })
    await pause(2 * settling)
    for (const { name, cause } of faults) {
      journal.begin(name)
      await cause(topology, journal.fault)
      await until('a change is acknowledged', async () => journal.now().recovery !== undefined)
      await pause(settling)
    }
    journal.begin('the end')
    await load.end()
    await verifyPhones(origin, load, journal)
    await verifyDatabase(addresses.direct, journal)
    journal.end()
    process.stdout.write(`\n${report(journal)}\n`)
    expect(journal.violations).toEqual([])
    for (const phase of journal.phases.slice(0, -1)) expect(phase.changes).toBeGreaterThan(0)
    isGood = true
  },
)
