/*
 * `npm test` installs missing packages, builds, and runs every stage: types, lint, dead code, unit and
 * integration tests, tests in Chromium, end-to-end tests. A failed stage does not stop the next one.
 * `npm run check` formats, and runs types, lint, dead code, and the unit tests.
 * The last line is `N passed, N failed`: each test is one; types, lint and dead code are one each.
 * The line before it is the time of each stage.
 *
 * A few failures are run once more with nothing beside them. What passes then counts as passed, and
 * is named at the end as unsteady: its fault is a race, in the test or in the product. So is what failed.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { endOnSignal, run } from '../src/server/launch/children.mjs'
import { ready, readyToBuild, root } from '../src/server/launch/ready.mjs'
import { described, e2eOutcome, unitOutcome } from './helpers/reports.mjs'

/**
 * @typedef {{ passed: number, failed: number }} Count
 * @typedef {import('./helpers/reports.mjs').Outcome} Outcome
 * @typedef {import('./helpers/reports.mjs').Failure} Failure
 */

/** More failures than this are a fault that running them again would only repeat. */
const mostRunAgain = 6
/** The file of a failure that is no test's. */
const nowhere = 'the run'

endOnSignal((name) => 128 + constants.signals[name])
const reports = mkdtempSync(join(tmpdir(), 'soma-reports-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))

const quick = process.argv[2] === 'check'
const checks = {
  types,
  lint,
  'dead code': deadCode,
  'unit tests': unit,
}
/** @type {Record<string, () => Promise<Count>>} */
const stages = quick
  ? { packages: preparation(readyToBuild), format: preparation(format), ...checks }
  : {
      'packages and build': preparation(ready),
      ...checks,
      'tests in Chromium': inChromium,
      'end-to-end tests': e2e,
    }

let total = { passed: 0, failed: 0 }
const times = []
/** @type {Failure[]} */
const failures = []
/** @type {Failure[]} */
const unsteady = []
for (const [title, work] of Object.entries(stages)) {
  console.log(`\n── ${title}`)
  const began = performance.now()
  const { passed, failed } = await work()
  total = { passed: total.passed + passed, failed: total.failed + failed }
  times.push(`${title} ${Math.round((performance.now() - began) / 1000)} s`)
}
process.exitCode = total.failed === 0 ? 0 : 1
for (const failure of unsteady) console.log(`\nUnsteady: ${described(failure)}`)
for (const failure of failures) console.log(`\nFailed: ${described(failure)}`)
process.stdout.write(`\n${times.join(' · ')}\n${total.passed} passed, ${total.failed} failed\n`)

async function types() {
  const failed = []
  for (const folder of ['src', 'sw', 'tests']) {
    const { code } = await tool('typescript/bin/tsc', ['-p', folder])
    if (code !== 0) failed.push(folder)
  }
  return one(failed.length === 0, `Types do not fit in ${failed.join(', ')}.`)
}

async function lint() {
  const { code } = await tool('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.'])
  return one(code === 0, 'Biome found faults.')
}

/** Files, exports and packages that nothing uses. */
async function deadCode() {
  const { code } = await tool('knip/bin/knip.js', ['--no-config-hints'])
  return one(code === 0, 'Knip found dead code.')
}

async function format() {
  await tool('@biomejs/biome/bin/biome', ['check', '--write', '.'])
}

async function unit() {
  return vitest('unit', [])
}

async function inChromium() {
  return (await noChromium()) ?? vitest('chromium', ['--config', 'tests/server/chromium.config.ts'])
}

/** @param {string} name @param {string[]} args */
async function vitest(name, args) {
  return tried(async (again) => {
    const file = join(reports, `${name}${again ? '-again' : ''}.json`)
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    const alone = again ? ['--maxWorkers=1', ...new Set(again.map((failure) => failure.file))] : []
    const { code } = await tool('vitest/vitest.mjs', ['run', ...args, ...reporters, ...alone])
    return { code, outcome: () => unitOutcome(file) }
  })
}

/** One failure when Chromium is missing; else undefined, and CHROMIUM holds its path. */
async function noChromium() {
  const { needChromium } = await import('./helpers/chromium.mjs')
  try {
    process.env.CHROMIUM = await needChromium()
  } catch (error) {
    return one(false, error instanceof Error ? error.message : String(error))
  }
}

async function e2e() {
  const none = await noChromium()
  if (none) return none
  return tried(async (again) => {
    const file = join(reports, `e2e${again ? '-again' : ''}.json`)
    const args = ['test', '--config', 'tests/e2e/playwright.config.ts', '--reporter=list,json']
    const alone = again ? ['--last-failed', '--workers=1'] : []
    const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: file }
    const { code } = await tool('@playwright/test/cli.js', [...args, ...alone], env)
    return { code, outcome: () => e2eOutcome(file) }
  })
}

/**
 * Counts a run of tests; a few failures are run again, with `again` holding them.
 * @param {(again?: Failure[]) => Promise<{ code: number, outcome: () => Outcome }>} attempt
 * @returns {Promise<Count>}
 */
async function tried(attempt) {
  const first = read(await attempt())
  const some = first.failures.length > 0 && first.failures.length <= mostRunAgain
  const again = some && first.failures.every(({ file }) => file !== nowhere)
  const left = again ? read(await attempt(first.failures)).failures : first.failures
  const names = new Set(left.map(nameOf))
  const mended = first.failures.filter((failure) => !names.has(nameOf(failure)))
  unsteady.push(...mended)
  failures.push(...left)
  return { passed: first.passed + mended.length, failed: left.length }
}

/** @param {Failure} failure */
function nameOf({ file, title }) {
  return `${file} ${title}`
}

/**
 * The outcome of a tool; one that fails without a failed test in its report, or without a report, is a failure itself.
 * @param {{ code: number, outcome: () => Outcome }} ended
 * @returns {Outcome}
 */
function read({ code, outcome }) {
  const whole = { file: nowhere, title: `ended with exit code ${code}`, message: '' }
  try {
    const { passed, failures: found } = outcome()
    return { passed, failures: code !== 0 && found.length === 0 ? [whole] : found }
  } catch {
    return { passed: 0, failures: [{ ...whole, message: 'The tests left no report.' }] }
  }
}

/** A stage that only counts when it fails. @param {() => Promise<unknown>} work */
function preparation(work) {
  return async () => {
    try {
      await work()
      return { passed: 0, failed: 0 }
    } catch (error) {
      return one(false, error instanceof Error ? error.message : String(error))
    }
  }
}

/** @param {boolean} passed @param {string} complaint @returns {Count} */
function one(passed, complaint) {
  if (!passed) console.error(complaint)
  return passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

/** @param {string} bin @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
function tool(bin, args, env = process.env) {
  return run(process.execPath, [join(root, 'node_modules', bin), ...args], {
    cwd: root,
    env,
    show: true,
  })
}
