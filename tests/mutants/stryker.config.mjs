/**
 * `npm run mutants` changes the engine and the server's request keys, one expression at a time, and runs the tests
 * that execute it: hours. `npm run mutants -- --mutate src/sync/outbox/backoff.ts` takes one file, minutes.
 */
export default {
  mutate: [
    'src/sync/{outbox,lists,push,engine,events}/**/*.ts',
    'src/store/{deliveries,pull,account}/**/*.ts',
    'src/server/http/{idempotency,dispatch}.ts',
    'src/server/http/batch/*.ts',
    'src/server/postgres/records/requests.ts',
  ],
  testRunner: 'vitest',
  vitest: { configFile: 'tests/mutants/vitest.config.ts' },
  coverageAnalysis: 'perTest',
  // What runs once, on import, would need every test again for each mutant.
  ignoreStatic: true,
  ignorePatterns: ['/data', '/dist', '/.pictures', '/tests/e2e', '/tests/slow'],
  tempDirName: 'data/mutants/sandbox',
  reporters: ['clear-text', 'progress', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: 'data/mutants/report.html' },
  thresholds: { high: 95, low: 80, break: 80 },
  timeoutMS: 60_000,
  dryRunTimeoutMinutes: 60,
  concurrency: 2,
}
