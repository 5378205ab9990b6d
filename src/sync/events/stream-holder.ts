import { Refused, Unreachable } from '#contract/wire-errors.ts'
import { note } from '../database/device/diagnostics.ts'
import { getState } from '../database/device/state.ts'
import { noteStream } from '../database/device/stream-state.ts'
import type { ListRef } from '../lists/list-ref.ts'
import type { Change, EventsModel, Listener, PushedRow } from '../model.ts'
import { backoff } from '../outbox/backoff.ts'
import { createPause, type SyncContext } from '../platform/context.ts'
import type { Environment } from '../platform/environment.ts'
import { readEventStream, type ServerEvent } from './event-stream.ts'

/** Milliseconds after which a tab tries again to hold the stream that another tab holds. */
const lookAgain = 10_000
/** Milliseconds after which a backend without a stream is asked again. */
const withoutStream = 3_600_000
/** Milliseconds after which a stream that was opened again and has said nothing counts as closed (S23). */
const helloWithin = 5_000
/** Milliseconds; a stream that was open for longer did not fail. */
const openFor = 70_000

type About = {
  context: SyncContext
  environment: Environment
  model: EventsModel
  /** Every list this phone wants. */
  subscriptions: () => Promise<ListRef[]>
  /** For whom events are heard; nobody while a login has ended. */
  listener: () => Listener | undefined
}

/** Keeps the event stream open in one tab of the phone, while the page is looked at (S22, S23). */
export function createStreamHolder(about: About) {
  const { context, environment, model, subscriptions } = about
  const { db, clock, random, locks } = context
  let isStopped = false
  let isHolding = false
  let closeConnection = () => {}
  /** Whether this connection has brought anything, and what it was asked for. */
  let isOpen = false
  let routes: string[] = []
  /** It was closed only to name other routes. */
  let isReopening = false
  const pause = createPause(clock)

  /** Tries to be the tab that holds the stream, and opens it again whenever it ends (S23). */
  async function run(): Promise<void> {
    for (let failures = 0; !isStopped; ) {
      const listener = about.listener()
      const mayListen = listener && environment.isVisible()
      // Another tab may hold it; a page that nobody looks at, or with nobody to hear for, is woken.
      let wait = mayListen ? lookAgain : withoutStream
      if (mayListen)
        await locks.run(`soma-events:${db.name}`, async () => {
          // Somebody else may have logged in while the lock was waited for.
          if (about.listener()?.token !== listener.token) {
            wait = 0
            return
          }
          const began = clock.monotonic()
          wait = await hold(listener).then(ended, ended)
          failures = isReopening || clock.monotonic() - began > openFor ? 0 : failures + 1
          if (isReopening || about.listener()?.token !== listener.token) wait = 0
          isReopening = false
        })
      if (!isStopped) await pause.wait(wait)

      function ended(error: unknown): number {
        if (error) note('The event stream ended', { error })
        const status = error instanceof Refused || error instanceof Unreachable ? error.status : 0
        if (status === 404 || status === 405 || status === 501) return withoutStream
        return 1_000 + backoff(failures + 2, random)
      }
    }
  }

  async function hold({ account, token }: Listener) {
    const connection = new AbortController()
    let isEndedHere = false
    closeConnection = () => {
      isEndedHere = true
      connection.abort()
    }
    note('This tab opens the event stream')
    const before = await getState(db, 'stream')
    const isOurs = before?.account === account
    let position = isOurs ? before.position : undefined
    routes = model.routesOf(await subscriptions())
    // What is new of a route that the stream did not name so far is not among what it continues with.
    const isSameRoutes = isOurs && `${before.routes ?? []}` === `${routes}`
    const missed = isSameRoutes ? [] : [model.missedOfRoutes]
    const publish = (open: boolean, changes: Change[]) =>
      noteStream(db, { account, open, at: clock.now(), changes, position, routes })
    const take = async (events: ServerEvent[]) => {
      isOpen = true
      const rows = events.flatMap(rowIn)
      const toAsk = await model.savePushed(db, account, rows, clock.monotonic())
      position = events.findLast((event) => event.position !== undefined)?.position ?? position
      await publish(true, [...events.flatMap((event) => changeIn(event, missed)), ...toAsk])
    }
    const publishEnd = () =>
      publish(false, []).catch((error) => note('That the stream ended was not stored', { error }))
    isHolding = true
    isOpen = false
    const unheard = clock.setTimeout(() => !isOpen && void publishEnd(), helloWithin)
    try {
      const request = { token, routes, after: position }
      const end = await readEventStream(context, request, connection.signal, take)
      if (end === 'silent') isEndedHere = true
    } finally {
      isHolding = false
      clock.clearTimeout(unheard)
      // One that breaks off is opened again at once, and continues; until then nothing need be asked (S52).
      const isContinuing = isOpen && position !== undefined && (!isEndedHere || isReopening)
      if (!isContinuing) await publishEnd()
    }
  }

  /** Opens the stream anew when it names other routes than this phone looks at (S51). */
  async function followRoutes(): Promise<void> {
    if (!isHolding || !isOpen) return
    try {
      const wanted = model.routesOf(await subscriptions())
      if (`${wanted}` === `${routes}` || !isHolding) return
      isReopening = true
      closeConnection()
    } catch (error) {
      note('The routes of the event stream were not looked up', { error })
    }
  }

  return {
    /** Runs until `stop`. */
    run,
    isHolding: () => isHolding,
    followRoutes,
    close: () => closeConnection(),
    /** Ends the pause between two tries. */
    wake: pause.end,
    stop: () => {
      isStopped = true
      closeConnection()
      pause.end()
    },
  }
}

/** A row that an event brings, or the ID of one that left its list. */
const rowIn = (event: ServerEvent): PushedRow[] =>
  event.event === 'news' && event.pushed && event.id !== undefined
    ? [{ id: event.id, row: event.pushed.row }]
    : []

/** What an event says has changed. `missed`: what a stream that goes on may have missed. */
function changeIn(event: ServerEvent, missed: Change[]): Change[] {
  if (event.event === 'beat') return []
  if (event.event === 'news')
    return rowIn(event).length > 0 ? [] : [{ about: event.about, id: event.id }]
  if (event.event === 'hello' && event.isContinued) return missed
  return [{ about: 'all' }]
}
