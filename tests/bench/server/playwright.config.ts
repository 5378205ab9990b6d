import { defineConfig } from '@playwright/test'
import bench from '../playwright.config.ts'

/** `npm run bench -- server`: the server under load, against what PostgreSQL and Node.js do alone. */
export default defineConfig({
  ...bench,
  testMatch: '*.bench.ts',
  outputDir: '../../../test-results/bench',
  timeout: 40 * 60_000,
})
