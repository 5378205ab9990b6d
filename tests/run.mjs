/*
 * `npm test` installs missing packages, builds, and runs every stage: types, lint, dead code, unit and
 * integration tests, tests in Chromium, end-to-end tests. A failed stage does not stop the next one.
 * `npm run check` formats, and runs types, lint, dead code, and the unit tests with fewer scenarios.
 * The last line is `N passed, N failed`: each test is one; types, lint and dead code are one each.
 * The line before it is the time of each stage.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { endOnSignal, run } from '../src/server/launch/children.mjs'
import { ready, readyToBuild, root } from '../src/server/launch/ready.mjs'

/**
 * @typedef {{ passed: number, failed: number }} Count
 * @typedef {{ status: string, assertionResults: unknown[] }} UnitFile
 * @typedef {{ numPassedTests: number, numFailedTests: number, testResults: UnitFile[] }} UnitReport
 * @typedef {{ expected: number, unexpected: number, flaky: number }} E2eStats
 * @typedef {{ stats: E2eStats, errors: unknown[] }} E2eReport
 */

endOnSignal((name) => 128 + constants.signals[name])
const reports = mkdtempSync(join(tmpdir(), 'soma-reports-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))

const quick = process.argv[2] === 'check'
if (quick) process.env.MODEL_SHARE ??= '0.1'
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
for (const [title, work] of Object.entries(stages)) {
  console.log(`\n── ${title}`)
  const began = performance.now()
  const { passed, failed } = await work()
  total = { passed: total.passed + passed, failed: total.failed + failed }
  times.push(`${title} ${Math.round((performance.now() - began) / 1000)} s`)
}
process.exitCode = total.failed === 0 ? 0 : 1
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
  const file = join(reports, `${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { code } = await tool('vitest/vitest.mjs', ['run', ...args, ...reporters])
  return counted(code, file, (/** @type {UnitReport} */ report) => {
    // A file that could not be loaded has no tests to count.
    const broken = report.testResults.filter(
      (each) => each.status === 'failed' && each.assertionResults.length === 0,
    )
    return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length }
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
  const file = join(reports, 'e2e.json')
  const args = ['test', '--config', 'tests/e2e/playwright.config.ts', '--reporter=list,json']
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: file }
  const { code } = await tool('@playwright/test/cli.js', args, env)
  return counted(code, file, (/** @type {E2eReport} */ { stats, errors }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
  }))
}

/**
 * The counts of a report; a tool that fails without a report of it counts as one failure.
 * @param {number} code
 * @param {string} file
 * @template T
 * @param {(report: T) => Count} read
 * @returns {Count}
 */
function counted(code, file, read) {
  let count = { passed: 0, failed: 0 }
  try {
    count = read(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return one(false, 'The tests left no report.')
  }
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count
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
