import { afterAll, beforeAll, inject, test } from 'vitest'
import { inDexie } from './dexie.ts'
import { inPostgres } from './postgres.ts'
import { holds } from './scenario/check.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 60)
/** One round's seed, to live exactly that round again. */
const asked = process.env.SOAK_SEED ? Number(process.env.SOAK_SEED) : undefined
const inOneRound = 500

let home: Awaited<ReturnType<typeof inPostgres>>
beforeAll(async () => {
  home = await inPostgres(inject('postgresUrl'))
})
afterAll(() => home.close())

test(`S1, S2, S3, S5, S7: hold for ${minutes} minutes of histories`, async () => {
  const until = performance.now() + minutes * 60_000
  for (let round = 0; round === 0 || (performance.now() < until && asked === undefined); round++) {
    const seed = asked ?? Math.floor(Math.random() * 2 ** 31)
    // Every fifth round is lived over PostgreSQL.
    const open = round % 5 === 4 ? home.open : inDexie
    process.stdout.write(`Round ${round + 1}: seed ${seed}, ${inOneRound} histories\n`)
    await holds(open, { seed, runs: inOneRound })
  }
})
