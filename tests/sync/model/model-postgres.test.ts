import { afterAll, beforeAll, inject, test } from 'vitest'
import { inPostgres } from './databases/postgres.ts'
import { expectNoFaults } from './scenario/check.ts'
import { patience, runsInPostgres } from './scenario-count.ts'

let database: Awaited<ReturnType<typeof inPostgres>>
beforeAll(async () => {
  database = await inPostgres(inject('postgresUrl'))
})
afterAll(() => database.close())

test(
  `${runsInPostgres} random scenarios keep every promise over PostgreSQL (seed 3)`,
  () => expectNoFaults(database.open, { seed: 3, runs: runsInPostgres }),
  patience,
)
