import { test } from 'vitest'
import { inDexie } from './databases/dexie.ts'
import { postgresOfFile } from './databases/postgres.ts'
import { expectNoFaults } from './scenario/check.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 60)
/** The seed of one round, to repeat exactly that round. */
const asked = process.env.SOAK_SEED ? Number(process.env.SOAK_SEED) : undefined
const inOneRound = 500

const inPostgres = postgresOfFile()

test(`random scenarios keep every promise for ${minutes} minutes`, async () => {
  const until = performance.now() + minutes * 60_000
  for (let round = 0; round === 0 || (performance.now() < until && asked === undefined); round++) {
    const seed = asked ?? Math.floor(Math.random() * 2 ** 31)
    // Every fifth round runs over PostgreSQL.
    const open = round % 5 === 4 ? inPostgres : inDexie
    process.stdout.write(`Round ${round + 1}: seed ${seed}, ${inOneRound} scenarios\n`)
    await expectNoFaults(open, { seed, runs: inOneRound })
  }
})
