/*
 * `npm test` installs missing packages, builds, and runs every stage: types, lint, dead code, unit and
 * integration tests, tests in Chromium, end-to-end tests. A failed stage does not stop the next one, and
 * nothing is tried again.
 * `npm run check` formats, and runs types, lint, dead code, and the unit tests that need no PostgreSQL.
 * `npm run test:slow` runs what is random, exhaustive, or needs other programs.
 * The last line is `N passed, N failed`: each test is one; types, lint and dead code are one each.
 * The line before it is the time of each stage.
 */
import { constants } from 'node:os'
import { endOnSignal } from '../src/server/launch/children.mjs'
import { described } from './helpers/reports.mjs'
import * as stages from './helpers/stages.mjs'

endOnSignal((name) => 128 + constants.signals[name])

const checks = [stages.types, stages.lint, stages.deadCode]
/** @type {Record<string, Record<string, stages.Stage>>} */
const tiers = {
  check: {
    packages: stages.packages,
    format: stages.format,
    'types, lint and dead code': stages.together(...checks),
    'unit tests': stages.vitest('--exclude=tests/server/**', '--exclude=tests/sync/model/**'),
  },
  fast: {
    packages: stages.packages,
    'build, types, lint and dead code': stages.together(stages.packagesAndBuild, ...checks),
    'unit tests': stages.vitest(),
    'tests in Chromium': stages.inChromium,
    'end-to-end tests': stages.endToEnd('fast'),
  },
  slow: {
    'packages and build': stages.packagesAndBuild,
    'slow unit tests': stages.vitest('--config', 'tests/slow/vitest.config.ts'),
    'slow end-to-end tests': stages.endToEnd('slow', 'oldest'),
    cluster: stages.vitest('--config', 'tests/cluster/cluster.config.ts'),
  },
}

let passed = 0
const failures = []
const times = []
for (const [title, stage] of Object.entries(tiers[process.argv[2] ?? 'fast'] ?? {})) {
  console.log(`\n── ${title}`)
  const began = performance.now()
  const outcome = await stage()
  passed += outcome.passed
  failures.push(...outcome.failures)
  times.push(`${title} ${Math.round((performance.now() - began) / 1000)} s`)
}
process.exitCode = failures.length === 0 ? 0 : 1
for (const failure of failures) console.log(`\nFailed: ${described(failure)}`)
process.stdout.write(`\n${times.join(' · ')}\n${passed} passed, ${failures.length} failed\n`)
