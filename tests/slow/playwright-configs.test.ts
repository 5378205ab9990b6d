import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '..')
const playwright = join(folder, '../node_modules/@playwright/test/cli.js')

// They share the settings of the end-to-end tests.
test.each(['bench', 'pictures'])('Playwright finds the files of tests/%s', async (name) => {
  const config = join(folder, name, 'playwright.config.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[playwright, 'test', '--list', '--reporter=line', '--config', config],
  ])
  expect(stdout).toMatch(/Total: [1-9]\d* tests? in/)
})
