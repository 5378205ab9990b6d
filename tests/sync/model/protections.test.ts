import { beforeEach, expect, test, vi } from 'vitest'
import { Queue } from '#sync/queue.ts'
import type { Step } from './deeds.ts'
import { inDexie } from './dexie.ts'
import { live } from './live.ts'
import type { Owner, Sabotage } from './world.ts'

/*
 * That the model can fail: each protection is switched off in turn, from outside, and one of its rules
 * must say so. The same history with the protection in place is lived without a fault.
 */

const off = vi.hoisted(() => ({
  ...{ rollBack: false, papers: false, patience: false, photos: false },
  ...{ names: false, watchdog: false, hangingUp: false, handOver: false, day: false, alias: false },
}))

vi.mock('#store/outbox.ts', async (original) => {
  const real = await original<typeof import('#store/outbox.ts')>()
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
vi.mock('#store/device.ts', async (original) => {
  const real = await original<typeof import('#store/device.ts')>()
  const resolveId: typeof real.resolveId = async (db, account, id) =>
    off.alias ? id : real.resolveId(db, account, id)
  return { ...real, resolveId }
})
vi.mock('#sync/backoff.ts', async (original) => {
  const real = await original<typeof import('#sync/backoff.ts')>()
  const tryNow: typeof real.tryNow = (db) =>
    off.patience
      ? db.outbox.where('state').equals('retrying').modify({ nextAt: 0 })
      : real.tryNow(db)
  const isDue: typeof real.isDue = (entry, now) => off.day || real.isDue(entry, now)
  return { ...real, tryNow, isDue }
})
vi.mock('#sync/news-names.ts', async (original) => {
  const real = await original<typeof import('#sync/news-names.ts')>()
  const touchedBy: typeof real.touchedBy = (...asked) =>
    off.names && asked[0].about === 'delivery' ? [] : real.touchedBy(...asked)
  return { ...real, touchedBy }
})
vi.mock('#sync/stream.ts', async (original) => {
  const real = await original<typeof import('#sync/stream.ts')>()
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
vi.mock('#sync/news.ts', async (original) => {
  const real = await original<typeof import('#sync/news.ts')>()
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

type Case = {
  protection: string
  caughtBy: string
  owners: Owner[]
  withoutLocks?: boolean
  news?: boolean
  ownIds?: boolean
  steps: Step[]
  sabotage?: Sabotage
  switchOff?: () => void
}

const all = { pace: 100 }
const phone = 0
const request = (mode: 'guest' | 'account'): Step => ({ do: 'request', phone, mode, ...all })
const act = (pick: number): Step => ({ do: 'act', phone, pick, right: true, ...all })
const pass = (seconds: number): Step => ({ do: 'pass', seconds, ...all })
const look = (seconds: number): Step => ({ do: 'pass', seconds, looking: true, ...all })
const tab = (what: 'open' | 'kill'): Step => ({ do: 'tab', phone, what, ...all })

const cases: Case[] = [
  {
    protection: 'the request key',
    caughtBy: 'S1',
    owners: ['a guest'],
    steps: [
      { do: 'weather', phone, weather: { fate: 'doubled', times: 9, only: 'says' }, ...all },
      request('guest'),
      pass(700),
    ],
    sabotage: {
      request: (asked) => {
        asked.headers.delete('idempotency-key')
        return asked
      },
    },
  },
  {
    protection: 'the lock that keeps other tabs from sending',
    caughtBy: 'S17',
    owners: ['a guest'],
    steps: [
      { do: 'weather', phone, weather: { fate: 'slow back', times: 9, only: 'says' }, ...all },
      { do: 'tab', phone, what: 'open', ...all },
      request('guest'),
      pass(130),
    ],
    sabotage: { openLocks: true },
  },
  {
    protection: 'the lease, on phones without locks',
    caughtBy: 'S17',
    owners: ['a guest'],
    withoutLocks: true,
    steps: [
      { do: 'weather', phone, weather: { fate: 'slow back', times: 9, only: 'says' }, ...all },
      { do: 'tab', phone, what: 'open', ...all },
      request('guest'),
      pass(700),
    ],
    sabotage: { openLocks: true },
  },
  {
    protection: 'the roll-back of what was refused',
    caughtBy: 'S6',
    owners: ['driver one'],
    steps: [
      { do: 'cut', phone, ...all },
      act(0),
      { do: 'elsewhere', pick: 1, ...all },
      { do: 'look', ...all },
    ],
    switchOff: () => {
      off.rollBack = true
    },
  },
  {
    protection: 'the order of parent and dependant',
    caughtBy: 'S4',
    owners: ['a guest'],
    steps: [
      {
        do: 'weather',
        phone,
        weather: { fate: '503 for a while', times: 1, only: 'says' },
        ...all,
      },
      request('guest'),
      pass(700),
    ],
    switchOff: () => {
      const door = Queue.prototype as unknown as { hasItsParents: () => boolean }
      vi.spyOn(door, 'hasItsParents').mockReturnValue(true)
    },
  },
  {
    protection: 'the order within a lane',
    caughtBy: 'S3',
    owners: ['driver one'],
    steps: [{ do: 'cut', phone, ...all }, act(0), act(0), { do: 'mend', phone, ...all }, pass(130)],
    switchOff: () => {
      const add = Queue.prototype.add
      vi.spyOn(Queue.prototype, 'add').mockImplementation(function (this: Queue, entries) {
        add.call(this, [...entries].reverse())
      })
    },
  },
  {
    protection: 'a cursor that never runs ahead of its rows',
    caughtBy: 'S10',
    owners: ['driver one'],
    steps: [pass(5)],
    sabotage: {
      response: async (asked, given) => {
        if (!asked.url.includes('/available-deliveries') || given.status !== 200) return given
        const { deliveries, ...rest } = await given.json()
        return new Response(JSON.stringify({ ...rest, deliveries: deliveries.slice(1) }), given)
      },
    },
  },
  {
    protection: 'the look at whose an entry is',
    caughtBy: 'S8',
    owners: ['ama'],
    steps: [request('guest'), pass(5)],
    switchOff: () => {
      off.papers = true
    },
  },
  {
    protection: 'the patience that the server asked for',
    caughtBy: 'S13',
    owners: ['a guest'],
    steps: [
      request('guest'),
      {
        do: 'weather',
        phone,
        weather: { fate: '429 for a while', times: 1, only: 'says' },
        ...all,
      },
      act(0),
      { do: 'tab', phone, what: 'look', ...all },
      pass(5),
    ],
    switchOff: () => {
      off.patience = true
    },
  },
  {
    protection: 'the photo that is kept until its answer',
    caughtBy: 'S11',
    owners: ['a guest'],
    steps: [{ do: 'cut', phone, ...all }, request('guest'), pass(30)],
    switchOff: () => {
      off.photos = true
    },
  },
  {
    protection: 'the day that what failed eight times is left alone',
    caughtBy: 'S16',
    owners: ['a guest'],
    steps: [
      {
        do: 'weather',
        phone,
        weather: { fate: '500', times: 8, only: 'says', one: true },
        ...all,
      },
      request('guest'),
      pass(700),
    ],
    switchOff: () => {
      off.day = true
    },
  },
  {
    protection: 'the alias by which an old ID is found',
    caughtBy: 'S19',
    owners: ['ama'],
    ownIds: true,
    steps: [
      { do: 'cut', phone, ...all },
      request('account'),
      { do: 'report', phone, pick: 0, ...all },
      { do: 'mend', phone, ...all },
      pass(30),
    ],
    switchOff: () => {
      off.alias = true
    },
  },
  {
    protection: 'the one tab that holds the stream',
    caughtBy: 'S22',
    owners: ['ama'],
    news: true,
    steps: [tab('open'), look(15)],
    sabotage: { openLocks: true },
  },
  {
    protection: 'the hand-over of the stream from tab to tab',
    caughtBy: 'S22',
    owners: ['ama'],
    news: true,
    steps: [tab('open'), look(15), tab('kill'), look(15)],
    switchOff: () => {
      off.handOver = true
    },
  },
  {
    protection: 'the hanging up when somebody else logs in',
    caughtBy: 'S22',
    owners: ['ama'],
    news: true,
    steps: [look(15), { do: 'log in', phone, who: 'kofi', ...all }, look(15)],
    switchOff: () => {
      off.hangingUp = true
    },
  },
  {
    protection: 'the doubt in a stream that is silent',
    caughtBy: 'S23',
    owners: ['ama'],
    news: true,
    steps: [look(15), { do: 'stream', phone, fate: 'silent', ...all }, look(90)],
    switchOff: () => {
      off.watchdog = true
    },
  },
  {
    protection: 'what news names',
    caughtBy: 'S21',
    owners: ['driver one'],
    news: true,
    steps: [look(15)],
    switchOff: () => {
      off.names = true
    },
  },
]

test.each(cases)('without $protection the model says so: $caughtBy', async (each) => {
  const { owners, steps, withoutLocks, news, ownIds } = each
  const history = { seed: 1, owners, steps, withoutLocks, news, ownIds }
  expect(await live(inDexie, history)).toEqual([])
  each.switchOff?.()
  const faults = await live(inDexie, history, each.sabotage)
  expect(faults.map(({ rule }) => rule)).toContain(each.caughtBy)
})
