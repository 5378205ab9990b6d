import { note } from '../database/device/diagnostics.ts'
import { getState, type StreamState } from '../database/device/state.ts'
import { listKey } from '../lists/list-ref.ts'
import type { Change, EventsAbout, EventsModel, Listener } from '../model.ts'
import { followQuery } from '../platform/follow-query.ts'
import type { MonotonicTime } from '../time.ts'
import { createStreamHolder } from './stream-holder.ts'

/** Heard this long ago, milliseconds, a stream is not trusted any more. */
const trustedFor = 70_000
/** Milliseconds a page may be hidden before the stream is closed: a glance elsewhere is no reason. */
const hiddenFor = 20_000
/** One list is asked for at most this often, milliseconds, however many events there are (S21). */
const apart = 1_000

/**
 * Hears of changes for whoever is logged in, else for a guest, while the page is looked at. One tab of a phone leads: it
 * holds the stream, and passes changes to the others through the store (S22). While the stream is open
 * no list it covers is polled, and an event pulls only the lists it names (S21). Returns how to stop.
 */
export function hearEvents(about: EventsAbout, model: EventsModel): () => void {
  const { context, environment, schedule, subscriptions, watched, runRound, followWatched } = about
  const { db, clock } = context
  let listener: Listener | undefined
  let stream: StreamState | undefined
  /** When this tab last saw that the stream had sent something (S46). */
  let heardAt: MonotonicTime = Number.NEGATIVE_INFINITY
  /** The number of the last change this tab has read. */
  let seen: number | undefined
  /** Keys of lists whose changes no event of this login names: a guest's. */
  let unpushed = new Set<string>()
  let hiddenTimer: unknown
  let silenceTimer: unknown
  const holder = createStreamHolder({
    context,
    environment,
    model,
    subscriptions,
    listener: () => listener,
  })

  const isOpen = () =>
    stream?.open === true &&
    stream.account === listener?.account &&
    clock.monotonic() - heardAt < trustedFor
  /** Whether events of this listener may be about the list of this key. */
  const isHeardOf = (key: string) => listener?.covers?.includes(key) ?? !unpushed.has(key)
  const isPushed = (key: string) =>
    listener?.covers !== undefined || model.isPushed(key, stream?.routes ?? [])
  schedule.suppressWhile((key) => isOpen() && isHeardOf(key) && isPushed(key))

  /** Silent for too long, its lists are polled again, also where nothing else begins a round (S21). */
  const expectBeat = () => {
    clock.clearTimeout(silenceTimer)
    if (!isOpen()) return
    const left = heardAt + trustedFor - clock.monotonic()
    silenceTimer = clock.setTimeout(() => void runRound(), left)
  }

  /** For whom events are heard now: another one needs another stream. */
  const listenFor = (next: Listener | undefined) => {
    const isOther = next?.token !== listener?.token || next?.account !== listener?.account
    listener = next
    if (!isOther) return
    expectBeat()
    holder.close()
    holder.wake()
  }
  const findListener = async (): Promise<Listener | undefined> => {
    const session = await db.sessions.get('current')
    return session && !session.expired ? session : model.guestListener(db, watched())
  }

  const undo = [
    followQuery(findListener, listenFor),
    followQuery(
      async () => getState(db, 'stream'),
      (state) => {
        const isFirst = seen === undefined
        read(state)
        if (isFirst) void holder.run()
      },
    ),
    followQuery(
      () => model.unpushedLists(db),
      (lists) => {
        unpushed = new Set(lists.map(listKey))
      },
    ),
    followWatched(() => {
      void holder.followRoutes()
      // A guest's stream is of one row: of the one that is looked at.
      if (listener?.covers)
        findListener().then(listenFor, (error) => note('Nobody was found to hear for', { error }))
    }),
    environment.onResume(() => {
      clock.clearTimeout(hiddenTimer)
      holder.wake()
    }),
    environment.onHidden?.(() => {
      hiddenTimer = clock.setTimeout(() => !environment.isVisible() && holder.close(), hiddenFor)
    }),
  ]

  /** Takes in what the stream brought, here or in another tab. */
  function read(state: StreamState | undefined) {
    const wasOpen = isOpen()
    // What was stored before this page was opened is as old as the device's clock says, if that can be.
    const age = stream || !state ? 0 : clock.now() - state.at
    if (state?.at !== stream?.at || state?.last !== stream?.last)
      heardAt = age < 0 ? Number.NEGATIVE_INFINITY : clock.monotonic() - age
    stream = state
    expectBeat()
    const last = state?.last ?? 0
    // This page has pulled already what came before it was opened.
    const missed = last - (seen ?? last)
    seen = last
    if (!state || state.account !== listener?.account) return
    const changes =
      missed > state.changes.length ? [{ about: 'all' }] : state.changes.slice(-missed)
    if (missed > 0)
      pollAffected(changes).catch((error) => note('A change was not followed', { error }))
    // The stream has ended: lists are polled again.
    else if (wasOpen && !isOpen()) void runRound()
  }

  async function pollAffected(changes: Change[]) {
    const all = holder.isHolding() ? await subscriptions() : watched()
    const among = all.filter((list) => isHeardOf(listKey(list)))
    for (const change of changes)
      for (const list of await model.affectedLists(db, listener?.account ?? '', change, among))
        schedule.pollNow(listKey(list), schedule.askedAt(listKey(list)) + apart)
    await runRound()
  }

  return () => {
    schedule.suppressWhile(() => false)
    clock.clearTimeout(hiddenTimer)
    clock.clearTimeout(silenceTimer)
    for (const each of undo) each?.()
    holder.stop()
  }
}
