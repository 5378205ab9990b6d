import { liveQuery } from 'dexie'
import { Refused, Unreachable } from '#contract/errors.ts'
import { currentLogin } from '#store/account/login.ts'
import { note } from '#store/database/device/diagnostics.ts'
import { getState, type StreamState } from '#store/database/device/state.ts'
import { noteStream } from '#store/database/device/stream-state.ts'
import type { Session } from '#store/database/engine-db.ts'
import { listKey } from '#store/database/lists.ts'
import { backoff } from '#store/outbox/backoff.ts'
import type { Change, EventsAbout } from '../engine/product.ts'
import { readEventStream, type ServerEvent } from './event-stream.ts'
import type { EventsProduct } from './product.ts'

/** Heard this long ago, milliseconds, a stream is not trusted any more. */
const trustedFor = 70_000
/** Another tab that holds the stream is looked after this often, milliseconds. */
const lookAgain = 10_000
/** Milliseconds a page may be hidden before the stream is closed: a glance elsewhere is no reason. */
const hiddenFor = 20_000
/** A backend without a stream is asked again after this long, milliseconds. */
const withoutStream = 3_600_000
/** One list is asked for at most this often, milliseconds, however many events there are (S21). */
const apart = 1_000

/**
 * Hears of changes for whoever is logged in, while the page is looked at. One tab of a phone leads: it
 * holds the stream, and passes changes to the others through the store (S22). While the stream is open
 * no list it covers is polled, and an event pulls only the lists it names (S21). Returns how to stop.
 */
export function hearEvents(about: EventsAbout, product: EventsProduct): () => void {
  const { context, environment, schedule, subscriptions, watched, runRound } = about
  const { db, clock, random, locks } = context
  let session: Session | undefined
  let stream: StreamState | undefined
  /** The number of the last change this tab has read. */
  let seen: number | undefined
  /** Keys of lists whose changes no event of this login names: a guest's. */
  let unpushed = new Set<string>()
  let isStopped = false
  let isLeader = false
  let closeStream = () => {}
  let wake = () => {}
  let hiddenTimer: unknown

  const isOpen = () =>
    stream?.open === true &&
    stream.account === session?.account &&
    clock.now() - stream.at < trustedFor
  schedule.suppressWhile((key) => isOpen() && product.isPushed(key) && !unpushed.has(key))

  const undo = [
    follow(
      async () => currentLogin(db),
      (current) => {
        const changed = current?.token !== session?.token || current?.expired !== session?.expired
        session = current
        if (!changed) return
        closeStream()
        wake()
      },
    ),
    follow(
      async () => getState(db, 'stream'),
      (state) => {
        const isFirst = seen === undefined
        read(state)
        if (isFirst) void lead()
      },
    ),
    follow(
      () => product.unpushedLists(db),
      (lists) => {
        unpushed = new Set(lists.map(listKey))
      },
    ),
    environment.onResume(() => {
      clock.clearTimeout(hiddenTimer)
      wake()
    }),
    environment.onHidden?.(() => {
      hiddenTimer = clock.setTimeout(() => !environment.isVisible() && closeStream(), hiddenFor)
    }),
  ]

  function follow<T>(query: () => Promise<T>, next: (value: T) => void): () => void {
    const error = (cause: unknown) => note('A live query of the events failed', { error: cause })
    const subscription = liveQuery(query).subscribe({ next, error })
    return () => subscription.unsubscribe()
  }

  /** Takes in what the stream brought, here or in another tab. */
  function read(state: StreamState | undefined) {
    const wasOpen = isOpen()
    stream = state
    const last = state?.last ?? 0
    // This page has pulled already what came before it was opened.
    const missed = last - (seen ?? last)
    seen = last
    if (!state || state.account !== session?.account) return
    const changes =
      missed > state.changes.length ? [{ about: 'all' }] : state.changes.slice(-missed)
    if (missed > 0) void pollAffected(changes)
    // The stream has ended: lists are polled again.
    else if (wasOpen && !isOpen()) void runRound()
  }

  async function pollAffected(changes: Change[]) {
    const all = isLeader ? await subscriptions() : watched()
    const among = all.filter((list) => !unpushed.has(listKey(list)))
    for (const change of changes)
      for (const list of await product.affectedLists(db, session?.account ?? '', change, among))
        schedule.pollNow(listKey(list), schedule.askedAt(listKey(list)) + apart)
    await runRound()
  }

  /** Tries to be the tab that holds the stream, and opens it again whenever it ends (S23). */
  async function lead() {
    for (let failures = 0; !isStopped; ) {
      const listener = session
      const mayListen = listener && !listener.expired && environment.isVisible()
      // Another tab may hold it; a page nobody looks at, or nobody is logged in to, is woken.
      let wait = mayListen ? lookAgain : withoutStream
      if (mayListen)
        await locks.run(`soma-events:${db.name}`, async () => {
          const began = clock.now()
          wait = await hold(listener).then(ended, ended)
          failures = clock.now() - began > trustedFor ? 0 : failures + 1
        })
      if (!isStopped) await pause(wait)

      function ended(error: unknown): number {
        if (error) note('The event stream ended', { error })
        const status = error instanceof Refused || error instanceof Unreachable ? error.status : 0
        if (status === 404 || status === 405 || status === 501) return withoutStream
        return 1_000 + backoff(failures + 2, random)
      }
    }
  }

  async function hold({ account, token }: Session) {
    const connection = new AbortController()
    closeStream = () => connection.abort()
    isLeader = true
    note('This tab opens the event stream')
    const publish = (open: boolean, changes: Change[]) =>
      noteStream(db, { account, open, at: clock.now(), changes })
    try {
      await readEventStream(context, token, connection.signal, (events) =>
        publish(true, events.flatMap(changeIn)),
      )
    } finally {
      isLeader = false
      await publish(false, []).catch((error) =>
        note('That the stream ended was not stored', { error }),
      )
    }
  }

  function pause(delay: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = clock.setTimeout(resolve, delay)
      wake = () => {
        clock.clearTimeout(timer)
        resolve()
      }
    })
  }

  return () => {
    isStopped = true
    schedule.suppressWhile(() => false)
    clock.clearTimeout(hiddenTimer)
    for (const each of undo) each?.()
    closeStream()
    wake()
  }
}

function changeIn(event: ServerEvent): Change[] {
  if (event.event === 'news') return [{ about: event.about, id: event.id }]
  return event.event === 'beat' ? [] : [{ about: 'all' }]
}
