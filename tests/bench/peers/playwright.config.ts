import { defineConfig } from '@playwright/test'
import bench from '../playwright.config.ts'

/** `npm run bench -- peers`: the sync engine against other libraries. */
export default defineConfig({
  ...bench,
  testMatch: '*.bench.ts',
  outputDir: '../../../test-results/bench',
})
