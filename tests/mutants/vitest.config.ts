import { defineConfig } from 'vitest/config'

/** The tests that `npm run mutants` runs against each mutant: those of store, sync and the server's request keys. */
export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    include: ['tests/{store,sync}/**/*.test.ts', 'tests/server/{http,postgres}/**/*.test.ts'],
    exclude: ['tests/sync/model/**'],
    globalSetup: ['tests/helpers/database/postgres.ts'],
    setupFiles: ['tests/helpers/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
