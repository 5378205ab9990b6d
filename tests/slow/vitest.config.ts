import { defineConfig } from 'vitest/config'
import { ScenariosFirst } from '../../vite.config.ts'

/** The slow tier of the unit tests: what is random, exhaustive, or needs other programs. */
export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    include: ['tests/slow/**/*.test.ts'],
    globalSetup: ['tests/helpers/database/postgres.ts'],
    setupFiles: ['tests/helpers/setup.ts'],
    sequence: { sequencer: ScenariosFirst },
    maxWorkers: 3,
    testTimeout: 20 * 60_000,
    hookTimeout: 2 * 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
