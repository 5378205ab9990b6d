import { defineConfig } from 'vitest/config'

/** `npm run soak`: runs scenarios of new seeds for SOAK_MINUTES (60). */
export default defineConfig({
  root: `${import.meta.dirname}/../../..`,
  test: {
    include: ['tests/sync/model/soak.ts'],
    globalSetup: ['tests/helpers/database/postgres.ts'],
    setupFiles: ['tests/helpers/setup.ts'],
    testTimeout: 0,
  },
})
