import { defineConfig } from '@playwright/test'
import e2e from '../e2e/playwright.config.ts'

const { projects: _, ...shared } = e2e

/** `npm run bench`: in the same browser as the end-to-end tests, one thing at a time. */
export default defineConfig({
  ...shared,
  testDir: '.',
  testMatch: 'tests/bench/*.bench.ts',
  workers: 1,
  outputDir: '../../test-results/bench',
  timeout: 15 * 60_000,
  use: { ...e2e.use, trace: 'off', screenshot: 'off' },
})
