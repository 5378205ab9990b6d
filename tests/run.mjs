/*
 * `npm test`: installs what is missing, then types, lint, unit and integration tests, those of what
 * only a browser has, and the end-to-end tests in one; every stage runs, whatever the one before said.
 * `npm run check`: formats, then types, lint and unit tests.
 * The last line is `N passed, N failed`: each test is one, and types and lint are one each.
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
const stages = quick
  ? [stage('Packages', readyToBuild), stage('Format', format), types, lint, unit]
  : [stage('Packages and build', ready), types, lint, unit, inChromium, e2e]

let total = { passed: 0, failed: 0 }
for (const each of stages) {
  const { passed, failed } = await each()
  total = { passed: total.passed + passed, failed: total.failed + failed }
}
process.exitCode = total.failed === 0 ? 0 : 1
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`)

async function types() {
  heading('Types')
  const failed = []
  for (const folder of ['src', 'sw', 'tests']) {
    const { code } = await tool('typescript/bin/tsc', ['-p', folder])
    if (code !== 0) failed.push(folder)
  }
  return one(failed.length === 0, `Types do not fit in ${failed.join(', ')}.`)
}

async function lint() {
  heading('Lint')
  // In CI a warning is a failure waiting to be seen.
  const { code } = await tool('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.'])
  return one(code === 0, 'Biome found faults.')
}

async function format() {
  await tool('@biomejs/biome/bin/biome', ['check', '--write', '.'])
}

async function unit() {
  heading('Unit and integration tests')
  return vitest('unit', [])
}

async function inChromium() {
  heading('Tests in Chromium')
  return (await noChromium()) ?? vitest('chromium', ['--config', 'tests/server/chromium.config.ts'])
}

/** @param {string} name @param {string[]} args */
async function vitest(name, args) {
  const file = join(reports, `${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { code } = await tool('vitest/vitest.mjs', ['run', ...args, ...reporters])
  return counted(code, file, (/** @type {UnitReport} */ report) => {
    // A file that could not even be loaded has no tests to count.
    const broken = report.testResults.filter(
      (each) => each.status === 'failed' && each.assertionResults.length === 0,
    )
    return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length }
  })
}

/** The failure it is to have none; nothing when there is one, which CHROMIUM then names. */
async function noChromium() {
  const { needChromium } = await import('./helpers/chromium.mjs')
  try {
    process.env.CHROMIUM = await needChromium()
  } catch (error) {
    return one(false, error instanceof Error ? error.message : String(error))
  }
}

async function e2e() {
  heading('End-to-end tests')
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
 * What a report says; a tool that fails without saying what failed counts as one failure.
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

/** A stage that only counts when it fails. @param {string} title @param {() => Promise<unknown>} work */
function stage(title, work) {
  return async () => {
    heading(title)
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

/** @param {string} title */
function heading(title) {
  console.log(`\n── ${title}`)
}
