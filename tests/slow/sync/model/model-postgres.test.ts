import { test } from 'vitest'
import { postgresOfFile } from '../../../sync/model/databases/postgres.ts'
import { expectNoFaults } from '../../../sync/model/scenario/check.ts'

const open = postgresOfFile()

test('100 random scenarios keep every promise over PostgreSQL (seed 3)', () =>
  expectNoFaults(open, { seed: 3, runs: 100 }))
