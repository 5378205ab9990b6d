import { defineConfig } from '@playwright/test'
import bench from '../playwright.config.ts'

/** `npm run bench -- phone`: the app on a cheap phone against bare pages. */
export default defineConfig({
  ...bench,
  testMatch: '*.bench.ts',
  outputDir: '../../../test-results/bench',
})
