import { defineConfig } from 'vitest/config'

/** `npm run soak`: histories for as long as SOAK_MINUTES says (60), each never lived before. */
export default defineConfig({
  root: `${import.meta.dirname}/../../..`,
  test: {
    include: ['tests/sync/model/soak.ts'],
    globalSetup: ['tests/helpers/postgres.ts'],
    setupFiles: ['fake-indexeddb/auto'],
    testTimeout: 0,
  },
})
