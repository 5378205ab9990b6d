import { test } from '@playwright/test'
import { called, inFreshProfile, type Name, open, peersServer } from './bench.ts'
import { startFront } from './front.ts'
import { measure } from './table.ts'

/*
 * Every byte between the phone and a TLS and HTTP/2 front, as in production. Bytes do not vary, so there
 * is one run; a day is extrapolated from two hours. RxDB sends a row's old and new state, and pulls the
 * server's version of it.
 */

const server = peersServer()
const held = 100
const hours = 2
/** A peer without a polling engine polls every ten seconds (R80). */
const polls = (hours * 3_600) / 10

test('Bytes of 200 mutations and an idle day', async () => {
  const ours = [await spent('ours', 'mutate', 200), await spent('ours', 'idle', hours)]
  const theirs = [await spent('rxdb', 'mutate', 200), await spent('rxdb', 'idle', polls)]
  const against = 'RxDB'
  const report = (work: string, mine: number, other: number, more: { target?: number } = {}) => {
    const note = `ours ${kB(mine)}, theirs ${kB(other)}.`
    measure({ work, against, note, ...more }, [mine / other])
  }
  const [work, day] = ['bytes of 200 mutations', 'bytes of an idle day']
  report(`${work} and an idle day`, sum(ours), sum(theirs), { target: 0.5 })
  report(work, ours[0] ?? 0, theirs[0] ?? 0)
  report(day, ours[1] ?? 0, theirs[1] ?? 0)
})

const sum = (values: number[]) => values.reduce((total, value) => total + value)
const kB = (bytes: number) => `${Math.round(bytes / 1_000)} kB`

/** The bytes a side sends and receives for `what`, on a phone that has pulled all rows. */
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
