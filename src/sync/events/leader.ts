import { liveQuery } from 'dexie'
import { Refused, Unreachable } from '#contract/errors.ts'
import type { Session } from '#store/rows.ts'
import type { Agenda } from '../engine/poll-schedule.ts'
import type { Tools } from '../platform/context.ts'
import type { Surroundings } from '../platform/environment.ts'
import { backoff } from '../push/backoff.ts'
import { type Change, touchedBy } from './affected-lists.ts'
import { hearStream, type Said } from './event-stream.ts'

/** What the tab that holds the stream tells the others, through the store. */
type Told = {
  account: string
  open: boolean
  /** When the stream was last heard, milliseconds since 1970. */
  at: number
  /** The newest changes and the number of the last; each tab knows how far it has read. */
  last: number
  changes: Change[]
}

type About = {
  tools: Tools
  surroundings: Surroundings
  agenda: Agenda
  /** Every list this phone wants; `watched` by this tab alone. */
  wanted: () => Promise<string[]>
  watched: () => Iterable<string>
  turn: () => Promise<void>
}

const remembered = 100
/** Heard this long ago, a stream is not trusted any more. */
const trusted = 70_000
const lookAgain = 10_000
/** A glance at another page is no reason to hang up. */
const grace = 20_000
/** A backend without a stream is asked again after this long; nor does anything else wait longer. */
const withoutStream = 3_600_000
/** Lists whose changes no news names, or not every one. */
const untold = /^(config$|sessions$|adminAudit)/
/** One list is asked for at most this often, however much news there is. */
const apart = 1_000

/**
 * Hears of changes for whoever is logged in, while the page is looked at. One tab of a phone holds
 * the stream, the others are told through the store; while it is open no list it tells of is asked
 * for, and news asks only for what it names. Returns how to stop.
 */
export function hearNews({ tools, surroundings, agenda, wanted, watched, turn }: About) {
  const { db, clock, random, locks } = tools
  let session: Session | undefined
  let told: Told | undefined
  let seen: number | undefined
  let guests = new Set<string>()
  let stopped = false
  let holding = false
  let hangUp = () => {}
  let poke = () => {}
  let leaving: unknown

  const isOpen = () =>
    told?.open === true && told.account === session?.account && clock.now() - told.at < trusted
  agenda.tell((name) => isOpen() && !untold.test(name) && !guests.has(name))

  const leave = [
    follow(
      async () => db.sessions.get('current'),
      (current) => {
        const changed = current?.token !== session?.token || current?.expired !== session?.expired
        session = current
        if (!changed) return
        hangUp()
        poke()
      },
    ),
    follow(
      async () => db.meta.get('stream'),
      (row) => {
        const begins = seen === undefined
        read(row?.value as Told | undefined)
        if (begins) void holdOn()
      },
    ),
    follow(
      async () => db.guests.toCollection().primaryKeys(),
      (ids) => {
        guests = new Set(ids.map((id) => `delivery:${id}`))
      },
    ),
    surroundings.onBack(() => {
      clock.clearTimeout(leaving)
      poke()
    }),
    surroundings.onHidden?.(() => {
      leaving = clock.setTimeout(() => !surroundings.isVisible() && hangUp(), grace)
    }),
  ]

  function follow<T>(query: () => Promise<T>, next: (value: T) => void): () => void {
    const subscription = liveQuery(query).subscribe({ next, error: () => {} })
    return () => subscription.unsubscribe()
  }

  /** What the stream told, here or in another tab. */
  function read(now: Told | undefined) {
    const wasOpen = isOpen()
    told = now
    const last = now?.last ?? 0
    // What was told before this page was there, it has asked for already.
    const missed = last - (seen ?? last)
    seen = last
    if (!now || now.account !== session?.account) return
    const changes = missed > now.changes.length ? [{ about: 'all' }] : now.changes.slice(-missed)
    if (missed > 0) void lookAt(changes)
    // Nobody tells any more: lists are asked for at their pace again.
    else if (wasOpen && !isOpen()) void turn()
  }

  async function lookAt(changes: Change[]) {
    const among = (holding ? await wanted() : [...watched()]).filter((name) => !guests.has(name))
    for (const change of changes) {
      const key: [string, string] = [session?.account ?? '', change.id ?? '']
      const row = change.about === 'delivery' ? await db.deliveries.get(key) : undefined
      for (const name of touchedBy(change, among, row))
        agenda.hurry(name, agenda.asked(name) + apart)
    }
    await turn()
  }

  /** Tries to be the tab that holds the stream, and opens it again whenever it ends. */
  async function holdOn() {
    for (let failures = 0; !stopped; ) {
      const listener = session
      const mayListen = listener && !listener.expired && surroundings.isVisible()
      // Another tab may hold it; a page nobody looks at, or nobody is logged in to, is poked.
      let wait = mayListen ? lookAgain : withoutStream
      if (mayListen)
        await locks.run(`soma-events:${db.name}`, async () => {
          const began = clock.now()
          wait = await hold(listener).then(ended, ended)
          failures = clock.now() - began > trusted ? 0 : failures + 1
        })
      if (!stopped) await pause(wait)

      function ended(error: unknown): number {
        const status = error instanceof Refused || error instanceof Unreachable ? error.status : 0
        if (status === 404 || status === 405 || status === 501) return withoutStream
        return 1_000 + backoff(failures + 2, random)
      }
    }
  }

  async function hold({ account, token }: Session) {
    const line = new AbortController()
    hangUp = () => line.abort()
    holding = true
    try {
      await hearStream(tools, token, line.signal, (said) => pass(account, said))
    } finally {
      holding = false
      await write(account, false, []).catch(() => {})
    }
  }

  const pass = (account: string, said: Said[]) =>
    write(
      account,
      true,
      said.flatMap((each) =>
        each.event === 'news'
          ? [{ about: each.about, id: each.id }]
          : each.event === 'beat'
            ? []
            : [{ about: 'all' }],
      ),
    )

  const write = (account: string, open: boolean, changes: Change[]) =>
    db.transaction('rw', [db.meta, db.sessions], async () => {
      const before = (await db.meta.get('stream'))?.value as Told | undefined
      // Its person has logged out meanwhile: nothing of what they heard stays.
      if ((await db.sessions.get('current'))?.account !== account)
        return void (before?.account === account && (await db.meta.delete('stream')))
      const last = (before?.last ?? 0) + changes.length
      const kept = [...(before?.changes ?? []), ...changes].slice(-remembered)
      const value: Told = { account, open, at: clock.now(), last, changes: kept }
      await db.meta.put({ key: 'stream', value })
    })

  function pause(delay: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = clock.setTimeout(resolve, delay)
      poke = () => {
        clock.clearTimeout(timer)
        resolve()
      }
    })
  }

  return () => {
    stopped = true
    agenda.tell(() => false)
    clock.clearTimeout(leaving)
    for (const undo of leave) undo?.()
    hangUp()
    poke()
  }
}
