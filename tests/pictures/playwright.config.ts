import { defineConfig } from '@playwright/test'
import e2e from '../e2e/playwright.config.ts'

const { projects: _, ...shared } = e2e

export default defineConfig({
  ...shared,
  testDir: '.',
  testMatch: '*.pictures.ts',
  outputDir: '../../test-results/pictures',
  timeout: 5 * 60_000,
  use: { ...e2e.use, trace: 'off', screenshot: 'off' },
})
