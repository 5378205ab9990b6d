import { afterAll, beforeAll, inject, test } from 'vitest'
import { inPostgres } from './postgres.ts'
import { holds } from './scenario/check.ts'
import { patience, runsInPostgres } from './scenario-count.ts'

let home: Awaited<ReturnType<typeof inPostgres>>
beforeAll(async () => {
  home = await inPostgres(inject('postgresUrl'))
})
afterAll(() => home.close())

test(
  'S1, S2, S3, S4, S5, S6, S7, S8, S9, S10, S11, S12, S13, S14, S16, S17, S19, S21, S22, S23: hold over PostgreSQL',
  () => holds(home.open, { seed: 3, runs: runsInPostgres }),
  patience,
)
