import { join } from 'node:path'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumArgs, findChromium } from '../helpers/chromium.mjs'

/** What runs in a page is tested in one as well: a real IndexedDB, and no Node. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  cacheDir: 'node_modules/.vite-in-chromium',
  // Found at the start: found later, they would reload the page in the middle of its tests.
  optimizeDeps: { include: ['dexie', 'uuid', 'zod/mini'] },
  test: {
    include: ['tests/server/repo/dexie.test.ts', 'tests/sync/database/disk.chromium.ts'],
    testTimeout: 120_000,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      instances: [{ browser: 'chromium' }],
      provider: playwright({
        launchOptions: {
          executablePath: await findChromium(),
          args: chromiumArgs,
        },
      }),
    },
  },
})
