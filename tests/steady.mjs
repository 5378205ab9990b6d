/*
 * `npm run test:steady [times]`: runs the unit tests and the end-to-end tests of `npm test` ten times each, with
 * a process beside them that keeps one core busy. Prints a line for each run; fails when a test failed in any.
 */
import { constants } from 'node:os'
import { Worker } from 'node:worker_threads'
import { endOnSignal } from '../src/server/launch/children.mjs'
import { described } from './helpers/reports.mjs'
import { endToEnd, packagesAndBuild, vitest } from './helpers/stages.mjs'

endOnSignal((name) => 128 + constants.signals[name])
const times = Number(process.argv[2] ?? 10)
const lines = []
let failed = (await packagesAndBuild()).failures.length
const busy = new Worker('for (;;);', { eval: true })
for (const [title, stage] of Object.entries({
  'unit tests': vitest(),
  'end-to-end tests': endToEnd('fast'),
}))
  for (let run = 1; run <= times; run++) {
    const began = performance.now()
    const { passed, failures } = await stage()
    const seconds = Math.round((performance.now() - began) / 1000)
    lines.push(`${title}, run ${run}: ${passed} passed, ${failures.length} failed, ${seconds} s`)
    for (const failure of failures) lines.push(described(failure))
    failed += failures.length
  }
await busy.terminate()
process.exitCode = failed === 0 ? 0 : 1
console.log(`\n${lines.join('\n')}`)
