import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from '../../src/server/launch/ready.mjs'

/**
 * What a run of tests left: how many passed, and each failure with its file below the project's root.
 * @typedef {{ file: string, title: string, message: string }} Failure
 * @typedef {{ passed: number, failures: Failure[] }} Outcome
 *
 * @typedef {{ status: string, fullName: string, failureMessages: string[] }} UnitTest
 * @typedef {{ name: string, status: string, message: string, assertionResults: UnitTest[] }} UnitFile
 * @typedef {{ numPassedTests: number, testResults: UnitFile[] }} UnitReport
 *
 * @typedef {{ results: { error?: { message?: string } }[] }} E2eTest
 * @typedef {{ title: string, file: string, line: number, ok: boolean, tests: E2eTest[] }} E2eSpec
 * @typedef {{ specs: E2eSpec[], suites?: E2eSuite[] }} E2eSuite
 * @typedef {{ stats: { expected: number }, errors: { message?: string }[], suites: E2eSuite[] }} E2eReport
 */

/** Reads Vitest's report. A file that could not be loaded is one failure. @param {string} file @returns {Outcome} */
export function unitOutcome(file) {
  /** @type {UnitReport} */
  const report = JSON.parse(readFileSync(file, 'utf8'))
  const failures = report.testResults.flatMap((each) => {
    const name = relative(root, each.name)
    const failed = each.assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => ({
        file: name,
        title: test.fullName,
        message: test.failureMessages.join('\n'),
      }))
    return failed.length === 0 && each.status === 'failed'
      ? [{ file: name, title: 'could not be loaded', message: each.message }]
      : failed
  })
  return { passed: report.numPassedTests, failures }
}

/** Reads Playwright's report. @param {string} file @returns {Outcome} */
export function e2eOutcome(file) {
  /** @type {E2eReport} */
  const { stats, errors, suites } = JSON.parse(readFileSync(file, 'utf8'))
  const failures = suites.flatMap(specsOf).filter(({ ok }) => !ok)
  return {
    passed: stats.expected,
    failures: [
      ...failures.map(({ title, file: name, line, tests }) => ({
        file: `tests/e2e/${name}:${line}`,
        title,
        message: tests
          .flatMap(({ results }) => results.map(({ error }) => error?.message ?? ''))
          .join('\n'),
      })),
      ...errors.map(({ message = '' }) => ({
        file: 'tests/e2e',
        title: 'outside a test',
        message,
      })),
    ],
  }
}

/** @param {E2eSuite} suite @returns {E2eSpec[]} */
function specsOf({ specs, suites = [] }) {
  return [...suites.flatMap(specsOf), ...specs]
}

/** Where a test failed and the first lines of why, for the end of a log. @param {Failure} failure */
export function described({ file, title, message }) {
  const lines = message
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal
    .replaceAll(/\u001b\[[0-9;]*m/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.includes('node_modules'))
    .slice(0, 12)
  return [`${file} › ${title}`, ...lines.map((line) => `    ${line}`)].join('\n')
}
