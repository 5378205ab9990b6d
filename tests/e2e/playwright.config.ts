import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromiumArgs, findChromium } from '../helpers/chromium.mjs'

export default defineConfig({
  testMatch: '*.e2e.ts',
  projects: [
    { name: 'fast', testDir: '.' },
    { name: 'slow', testDir: '../slow' },
  ],
  globalSetup: join(import.meta.dirname, 'helpers/server/postgres.ts'),
  outputDir: '../../test-results',
  // A third on two cores gains no time: it only makes each step slower.
  workers: 2,
  retries: 0,
  forbidOnly: !!process.env.CI,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    // A cheap Android phone in Accra.
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    locale: 'en-GH',
    timezoneId: 'Africa/Accra',
    screenshot: 'only-on-failure',
    // What was done and asked for, step by step; with pictures of every step a third of the time goes into them.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    launchOptions: {
      executablePath: await findChromium(),
      args: chromiumArgs,
    },
  },
})
