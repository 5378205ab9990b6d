import { defineConfig } from 'vitest/config'

/** `npm run test:cluster`: servers over a PostgreSQL that fails over, while faults happen. */
export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    include: ['tests/cluster/cluster.ts'],
    globalSetup: ['tests/cluster/machines/prepare.ts'],
    testTimeout: 400_000,
    hookTimeout: 120_000,
    reporters: ['default'],
    disableConsoleIntercept: true,
  },
})
