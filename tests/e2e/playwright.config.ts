import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromiumArgs, findChromium } from '../helpers/chromium.mjs'

const stories = [
  ...['deliveries/driver', 'deliveries/guest'],
  ...['notifications/push', 'offline/engine', 'recipient/recipient'],
].map((name) => `**/${name}.e2e.ts`)

export default defineConfig({
  testMatch: '*.e2e.ts',
  projects: [
    { name: 'fast', testDir: '.' },
    { name: 'slow', testDir: '../slow' },
    // Without the APIs that the oldest browsers lack (server-fixture.ts).
    { name: 'oldest', testDir: '.', testMatch: stories },
  ],
  globalSetup: join(import.meta.dirname, 'helpers/server/postgres.ts'),
  outputDir: '../../test-results',
  // A third on two cores gains no time: it only makes each step slower.
  workers: 2,
  retries: 0,
  forbidOnly: !!process.env.CI,
  // Patience for two busy cores; nothing waits that long when all is well.
  timeout: 240_000,
  expect: { timeout: 60_000 },
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
