/*
 * `npm run test:steady [times]`: runs the unit tests and the end-to-end tests of `npm test` ten times each, with
 * a process beside them that keeps one core busy. Prints a line for each run so far; fails when a test failed in any.
 */
import { constants } from 'node:os'
import { Worker } from 'node:worker_threads'
import { endOnSignal } from '../src/server/launch/children.mjs'
import { described } from './helpers/reports.mjs'
import { endToEnd, packagesAndBuild, vitest } from './helpers/stages.mjs'

endOnSignal((name) => 128 + constants.signals[name])
const times = Number(process.argv[2] ?? 10)
let failed = (await packagesAndBuild()).failures.length
const busy = new Worker('for (;;);', { eval: true })
const stages = { 'unit tests': vitest(), 'end-to-end tests': endToEnd('fast') }
const lines = []
for (let run = 1; run <= times; run++)
  for (const [title, stage] of Object.entries(stages)) {
    const began = performance.now()
    const { passed, failures } = await stage()
    const seconds = Math.round((performance.now() - began) / 1000)
    lines.push(`${title}, run ${run}: ${passed} passed, ${failures.length} failed, ${seconds} s`)
    for (const failure of failures) lines.push(described(failure))
    failed += failures.length
    console.log(`\n${lines.join('\n')}`)
  }
await busy.terminate()
process.exitCode = failed === 0 ? 0 : 1
