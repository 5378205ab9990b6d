import { test } from '@playwright/test'
import { called, inFreshProfile, type Name, open, peersServer } from './bench.ts'
import { startFront } from './front.ts'
import { measure } from './table.ts'

/*
 * Every byte between the phone and TLS with HTTP/2, as it stands before a server in the world. Bytes
 * do not vary: one run. A day is reckoned from two hours of it.
 */

const server = peersServer()
const held = 100
const hours = 2
/** A peer that has no engine to say when is asked to look every ten seconds (spec §9). */
const polls = (hours * 3_600) / 10

test('Bytes of 200 mutations and an idle day', async () => {
  const ours = {
    work: await spent('ours', 'mutate', 200),
    idle: await spent('ours', 'idle', hours),
  }
  const theirs = {
    work: await spent('rxdb', 'mutate', 200),
    idle: await spent('rxdb', 'idle', polls),
  }
  const about = (part: 'work' | 'idle') => {
    const note = `ours ${kB(ours[part])} kB, theirs ${kB(theirs[part])} kB. ${notes[part]}`
    return [{ against: 'RxDB', note }, [ours[part] / theirs[part]]] as const
  }
  const [work, day] = ['bytes of 200 mutations', 'bytes of an idle day']
  const sum = (ours.work + ours.idle) / (theirs.work + theirs.idle)
  measure({ work: `${work} and an idle day`, against: 'RxDB', target: 0.5 }, [sum])
  const [working, resting] = [about('work'), about('idle')]
  measure({ work, ...working[0] }, [...working[1]])
  measure({ work: day, ...resting[0] }, [...resting[1]])
})

const notes = {
  work: 'RxDB sends the row before and after, and pulls what the server made of it.',
  idle: 'RxDB polls every ten seconds; ours as its engine sees fit, by a clock that does not wait.',
}

const kB = (bytes: number) => Math.round(bytes / 1_000)

/** What a side sends and hears for `what`, on a phone that holds all there is. */
async function spent(name: Name, what: 'mutate' | 'idle', amount: number): Promise<number> {
  server().reset({ rows: held })
  const front = await startFront(server().origin)
  const total = () => front.bytes().up + front.bytes().down
  const bytes = await inFreshProfile(async (context) => {
    const page = await open(context, front.origin, { name })
    await called(page, 'prepare', held)
    const before = total()
    await called(page, what, amount)
    return total() - before
  })
  await front.close()
  return what === 'idle' ? (bytes / hours) * 24 : bytes
}
