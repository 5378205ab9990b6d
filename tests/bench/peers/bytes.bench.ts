import { test } from '@playwright/test'
import { called, inFreshProfile, type Name, open, peersServer } from './bench.ts'
import { startFront } from './front.ts'
import { measure } from './table.ts'

/*
 * Every byte between the phone and TLS with HTTP/2, as it stands before a server in the world. Bytes
 * do not vary: one run.
 */

const server = peersServer()
const held = 100
const hours = 2
/** Polls of a peer that has no engine to say when: every ten seconds (spec §9). */
const pollsInADay = 24 * 360

test('Bytes of 200 mutations and an idle day', async () => {
  const ours = await spent('ours', { idle: hours })
  const theirs = await spent('rxdb', { idle: pollsInADay / 24 / 10 })
  const mine = { work: ours.work, idle: ours.idle * (24 / hours) }
  const other = { work: theirs.work, idle: theirs.idle * 240 }
  const against = 'RxDB'
  const note =
    'RxDB sends the row before and after, and polls every ten seconds as the product does.'
  const kB = (bytes: number) => Math.round(bytes / 1_000)
  const both = (name: 'work' | 'idle') =>
    `ours ${kB(mine[name])} kB, theirs ${kB(other[name])} kB. `
  measure({ work: 'bytes of 200 mutations and an idle day', against, target: 0.5, note }, [
    (mine.work + mine.idle) / (other.work + other.idle),
  ])
  measure({ work: 'bytes of 200 mutations', against, note: both('work') }, [mine.work / other.work])
  measure({ work: 'bytes of an idle day', against, note: both('idle') }, [mine.idle / other.idle])
})

/** What a side sends and hears for two hundred mutations, and for so long a rest. */
async function spent(name: Name, { idle }: { idle: number }) {
  server().reset({ rows: held })
  const front = await startFront(server().origin)
  const bytes = await inFreshProfile(async (context) => {
    const page = await open(context, front.origin, { name })
    await called(page, 'prepare', held)
    const start = total(front.bytes())
    await called(page, 'mutate', 200)
    const middle = total(front.bytes())
    await called(page, 'idle', idle)
    return { work: middle - start, idle: total(front.bytes()) - middle }
  })
  await front.close()
  return bytes
}

const total = ({ up, down }: { up: number; down: number }) => up + down
