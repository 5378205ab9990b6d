import { test } from 'vitest'
import { postgresOfFile } from './databases/postgres.ts'
import { expectNoFaults } from './scenario/check.ts'

const open = postgresOfFile()

test('25 random scenarios keep every promise over PostgreSQL (seed 3)', () =>
  expectNoFaults(open, { seed: 3, runs: 25 }))
