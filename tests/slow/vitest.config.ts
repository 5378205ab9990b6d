import { defineConfig } from 'vitest/config'
import { ScenariosFirst } from '../../vite.config.ts'

/** Its mocks need modules that no other file has loaded. */
const withMocks = 'tests/slow/sync/model/mutations/*.test.ts'

/** The slow tier of the unit tests: what is random, exhaustive, or needs other programs. */
export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    globalSetup: ['tests/helpers/database/postgres.ts'],
    setupFiles: ['tests/helpers/setup.ts'],
    sequence: { sequencer: ScenariosFirst },
    maxWorkers: 3,
    testTimeout: 20 * 60_000,
    hookTimeout: 2 * 60_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        // Files share a process, as in the fast tier.
        test: {
          name: 'slow',
          isolate: false,
          include: ['tests/slow/**/*.test.ts'],
          exclude: [withMocks],
        },
      },
      { extends: true, test: { name: 'with mocks', include: [withMocks] } },
    ],
  },
})
