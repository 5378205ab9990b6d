import { beforeEach, expect, test, vi } from 'vitest'
import { inDexie } from './dexie.ts'
import { cases } from './mutations.ts'
import { live } from './scenario/run-scenario.ts'

/*
 * That the model can fail: each protection is switched off in turn, from outside, and one of its rules
 * must say so. The same history with the protection in place is lived without a fault.
 */

const { off } = await vi.hoisted(() => import('./switches.ts'))

vi.mock('#store/outbox/enqueue.ts', async (original) => {
  const real = await original<typeof import('#store/outbox/enqueue.ts')>()
  const refoldLanes: typeof real.refoldLanes = async (db, entries) => {
    if (!off.rollBack) await real.refoldLanes(db, entries)
  }
  return { ...real, refoldLanes }
})
vi.mock('#sync/papers.ts', async (original) => {
  const real = await original<typeof import('#sync/papers.ts')>()
  const papersFor: typeof real.papersFor = async (...asked) => {
    const papers = await real.papersFor(...asked)
    return off.papers ? papers.map((each) => ({ ...each, token: asked[2]?.token })) : papers
  }
  return { ...real, papersFor }
})
vi.mock('#store/account/account.ts', async (original) => {
  const real = await original<typeof import('#store/account/account.ts')>()
  const resolveId: typeof real.resolveId = async (db, account, id) =>
    off.alias ? id : real.resolveId(db, account, id)
  return { ...real, resolveId }
})
vi.mock('#sync/push/backoff.ts', async (original) => {
  const real = await original<typeof import('#sync/push/backoff.ts')>()
  const tryNow: typeof real.tryNow = (db) =>
    off.patience
      ? db.outbox.where('state').equals('retrying').modify({ nextAt: 0 })
      : real.tryNow(db)
  const isDue: typeof real.isDue = (entry, now) => off.day || real.isDue(entry, now)
  return { ...real, tryNow, isDue }
})
vi.mock('#sync/events/affected-lists.ts', async (original) => {
  const real = await original<typeof import('#sync/events/affected-lists.ts')>()
  const touchedBy: typeof real.touchedBy = (...asked) =>
    off.names && asked[0].about === 'delivery' ? [] : real.touchedBy(...asked)
  return { ...real, touchedBy }
})
vi.mock('#sync/events/event-stream.ts', async (original) => {
  const real = await original<typeof import('#sync/events/event-stream.ts')>()
  const deaf = new AbortController().signal
  const hearStream: typeof real.hearStream = (tools, token, signal, heard) => {
    const { clock } = tools
    const patient = { ...tools, clock: { ...clock, setTimeout: () => undefined } }
    return real.hearStream(
      off.watchdog ? patient : tools,
      token,
      off.hangingUp ? deaf : signal,
      heard,
    )
  }
  return { ...real, hearStream }
})
vi.mock('#sync/events/leader.ts', async (original) => {
  const real = await original<typeof import('#sync/events/leader.ts')>()
  const hearNews: typeof real.hearNews = (about) => {
    let tried = false
    const { locks } = about.tools
    const once: typeof locks.run = async (...asked) => {
      if (off.handOver && tried) return false
      tried = true
      return locks.run(...asked)
    }
    return real.hearNews({
      ...about,
      tools: { ...about.tools, locks: { ...locks, run: once } },
    })
  }
  return { ...real, hearNews }
})
vi.mock('#sync/push/requests.ts', async (original) => {
  const real = await original<typeof import('#sync/push/requests.ts')>()
  const { Refused, Unreachable } = await import('#contract/errors.ts')
  const { Refusal } = await import('#domain/errors.ts')
  const mistaken = (error: unknown) => {
    if (off.noAnswer && error instanceof Unreachable) return new Refusal('unavailable')
    const dead = off.pause && error instanceof Refused && error.status === 401
    return dead ? new Unreachable('No answer') : error
  }
  const sendEntry: typeof real.sendEntry = (...asked) =>
    real.sendEntry(...asked).catch((error) => {
      throw mistaken(error)
    })
  return { ...real, sendEntry }
})
vi.mock('#sync/expire.ts', async (original) => {
  const real = await original<typeof import('#sync/expire.ts')>()
  const expire: typeof real.expire = async (...asked) => {
    if (!off.askToSignIn) await real.expire(...asked)
  }
  const waitForLogin: typeof real.waitForLogin = async (...asked) => {
    if (!off.askToSignIn) await real.waitForLogin(...asked)
  }
  return { ...real, expire, waitForLogin }
})
vi.mock('#sync/tidy.ts', async (original) => {
  const real = await original<typeof import('#sync/tidy.ts')>()
  const tidy: typeof real.tidy = async (tools) => {
    if (off.photos)
      await tools.db.photos.bulkDelete(await tools.db.photos.toCollection().primaryKeys())
    await real.tidy(tools)
  }
  return { ...real, tidy }
})

beforeEach(() => {
  for (const name of Object.keys(off)) off[name as keyof typeof off] = false
  vi.restoreAllMocks()
})

test.each(cases)('without $protection the model says so: $caughtBy', async (each) => {
  const { owners, steps, withoutLocks, news, ownIds } = each
  const history = { seed: 1, owners, steps, withoutLocks, news, ownIds }
  expect(await live(inDexie, history)).toEqual([])
  each.switchOff?.()
  const faults = await live(inDexie, history, each.sabotage)
  expect(faults.map(({ rule }) => rule)).toContain(each.caughtBy)
})
