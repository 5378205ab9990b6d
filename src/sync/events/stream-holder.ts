import { Refused, Unreachable } from '#contract/errors.ts'
import { note } from '#store/database/device/diagnostics.ts'
import { noteStream } from '#store/database/device/stream-state.ts'
import type { Session } from '#store/database/engine-db.ts'
import { backoff } from '#store/outbox/backoff.ts'
import type { Change } from '../engine/product.ts'
import type { SyncContext } from '../platform/context.ts'
import type { Environment } from '../platform/environment.ts'
import { readEventStream, type ServerEvent } from './event-stream.ts'

/** Milliseconds after which a tab tries again to hold the stream that another tab holds. */
const lookAgain = 10_000
/** Milliseconds after which a backend without a stream is asked again. */
const withoutStream = 3_600_000
/** Milliseconds; a stream that was open for longer did not fail. */
const openFor = 70_000

type About = {
  context: SyncContext
  environment: Environment
  /** Who is logged in. */
  session: () => Session | undefined
}

/** Keeps the event stream open in one tab of the phone, while the page is looked at (S22, S23). */
export function createStreamHolder({ context, environment, session }: About) {
  const { db, clock, random, locks } = context
  let isStopped = false
  let isHolding = false
  let closeConnection = () => {}
  let wake = () => {}

  /** Tries to be the tab that holds the stream, and opens it again whenever it ends (S23). */
  async function run(): Promise<void> {
    for (let failures = 0; !isStopped; ) {
      const listener = session()
      const mayListen = listener && !listener.expired && environment.isVisible()
      // Another tab may hold it; a page nobody looks at, or nobody is logged in to, is woken.
      let wait = mayListen ? lookAgain : withoutStream
      if (mayListen)
        await locks.run(`soma-events:${db.name}`, async () => {
          const began = clock.monotonic()
          wait = await hold(listener).then(ended, ended)
          failures = clock.monotonic() - began > openFor ? 0 : failures + 1
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
    closeConnection = () => connection.abort()
    isHolding = true
    note('This tab opens the event stream')
    const publish = (open: boolean, changes: Change[]) =>
      noteStream(db, { account, open, at: clock.now(), changes })
    try {
      await readEventStream(context, token, connection.signal, (events) =>
        publish(true, events.flatMap(changeIn)),
      )
    } finally {
      isHolding = false
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

  return {
    /** Runs until `stop`. */
    run,
    isHolding: () => isHolding,
    close: () => closeConnection(),
    /** Ends the pause between two tries. */
    wake: () => wake(),
    stop: () => {
      isStopped = true
      closeConnection()
      wake()
    },
  }
}

function changeIn(event: ServerEvent): Change[] {
  if (event.event === 'news') return [{ about: event.about, id: event.id }]
  return event.event === 'beat' ? [] : [{ about: 'all' }]
}
