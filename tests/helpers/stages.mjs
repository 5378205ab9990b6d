import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../src/server/launch/children.mjs'
import { ready, readyToBuild, root } from '../../src/server/launch/ready.mjs'
import { needChromium } from './chromium.mjs'
import { e2eOutcome, unitOutcome } from './reports.mjs'

/**
 * The stages of a check. Each prints what it does and gives how many passed, and its failures.
 * @typedef {import('./reports.mjs').Outcome} Outcome
 * @typedef {() => Promise<Outcome>} Stage
 */

const reports = mkdtempSync(join(tmpdir(), 'soma-reports-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))

export const packages = preparation(readyToBuild)
export const packagesAndBuild = preparation(ready)
export const format = preparation(() => tool('@biomejs/biome/bin/biome', ['check', '--write', '.']))

/** @type {Stage} */
export async function types() {
  const failed = []
  for (const folder of ['src', 'sw', 'tests']) {
    const { code } = await tool('typescript/bin/tsc', ['-p', folder])
    if (code !== 0) failed.push(folder)
  }
  return one(failed.length === 0, `Types do not fit in ${failed.join(', ')}.`)
}

/** @type {Stage} */
export async function lint() {
  const { code } = await tool('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.'])
  return one(code === 0, 'Biome found faults.')
}

/** Files, exports and packages that nothing uses. @type {Stage} */
export async function deadCode() {
  const { code } = await tool('knip/bin/knip.js', ['--no-config-hints'])
  return one(code === 0, 'Knip found dead code.')
}

/** Stages that need one core each, at once. @param {Stage[]} stages @returns {Stage} */
export const together =
  (...stages) =>
  async () => {
    const outcomes = await Promise.all(stages.map((stage) => stage()))
    return {
      passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
      failures: outcomes.flatMap(({ failures }) => failures),
    }
  }

/** Tests run by Vitest, with further arguments for it. @param {string[]} args @returns {Stage} */
export const vitest = (...args) =>
  tested('vitest/vitest.mjs', unitOutcome, (file) => [
    ['run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    process.env,
  ])

/** Tests that Vitest runs in Chromium. @type {Stage} */
export const inChromium = withChromium(vitest('--config', 'tests/server/chromium.config.ts'))

/** End-to-end tests of these projects. @param {('fast' | 'slow' | 'oldest')[]} projects @returns {Stage} */
export const endToEnd = (...projects) =>
  withChromium(
    tested('@playwright/test/cli.js', e2eOutcome, (file) => [
      [
        ...['test', '--config', 'tests/e2e/playwright.config.ts'],
        ...projects.map((project) => `--project=${project}`),
        '--reporter=list,json',
      ],
      { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
    ]),
  )

/**
 * A stage that runs a tool which writes a report. A tool that fails without a failed test in its report, or
 * without a report, is a failure itself.
 * @param {string} bin
 * @param {(file: string) => Outcome} read
 * @param {(file: string) => [args: string[], env: NodeJS.ProcessEnv]} call
 * @returns {Stage}
 */
function tested(bin, read, call) {
  return async () => {
    const file = join(mkdtempSync(join(reports, 'stage-')), 'report.json')
    const { code } = await tool(bin, ...call(file))
    const title = `ended with exit code ${code}`
    try {
      const { passed, failures } = read(file)
      const isUnexplained = code !== 0 && failures.length === 0
      return { passed, failures: isUnexplained ? [{ file: bin, title, message: '' }] : failures }
    } catch {
      const message = 'The tests left no report.'
      return { passed: 0, failures: [{ file: bin, title, message }] }
    }
  }
}

/** Installs Chromium where it is missing; CHROMIUM then holds its path. @param {Stage} stage @returns {Stage} */
function withChromium(stage) {
  return async () => {
    const { failures } = await preparation(async () => {
      process.env.CHROMIUM = await needChromium()
    })()
    return failures.length > 0 ? { passed: 0, failures } : stage()
  }
}

/** A stage that only counts when it fails. @param {() => Promise<unknown>} work @returns {Stage} */
function preparation(work) {
  return async () => {
    try {
      await work()
      return { passed: 0, failures: [] }
    } catch (error) {
      return one(false, error instanceof Error ? error.message : String(error))
    }
  }
}

/** @param {boolean} passed @param {string} complaint @returns {Outcome} */
function one(passed, complaint) {
  if (passed) return { passed: 1, failures: [] }
  console.error(complaint)
  return { passed: 0, failures: [{ file: 'the project', title: complaint, message: '' }] }
}

/** @param {string} bin @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
function tool(bin, args, env = process.env) {
  return run(process.execPath, [join(root, 'node_modules', bin), ...args], {
    cwd: root,
    env,
    show: true,
  })
}
