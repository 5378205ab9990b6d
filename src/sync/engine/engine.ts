import { liveQuery } from 'dexie'
import { currentLogin } from '#store/account/login.ts'
import { hasRevocations } from '#store/account/revocations.ts'
import { note, storeDiagnostics } from '#store/database/device/diagnostics.ts'
import { type ListRef, listKey } from '#store/database/lists.ts'
import { type Evict, withEviction } from '#store/database/with-eviction.ts'
import { retryNow } from '#store/outbox/backoff.ts'
import { hasSendable, hasUnsent, hasWaiting } from '#store/outbox/unsent.ts'
import type { SyncContext } from '../platform/context.ts'
import type { Environment } from '../platform/environment.ts'
import { createListPoller } from './list-poller.ts'
import { createPollSchedule } from './poll-schedule.ts'
import type { LazyEngine, SyncProduct } from './product.ts'
import { contactFromDrain, createReachability } from './reachability.ts'
import { createRounds } from './rounds.ts'

export type Engine = ReturnType<typeof createEngine>

/** Milliseconds after which what another tab sends is looked at again. */
const lookAgain = 5_000
/** What takes longer to send, milliseconds, may be left to the worker: this tab may be closed any moment. */
const workerAfter = 2_000

type About = {
  context: SyncContext
  environment: Environment
  product: SyncProduct
  /** The part of the engine that a visitor's first page does without. */
  loadLazy: () => Promise<LazyEngine>
  evict: Evict
}

/**
 * When the device and the server meet. Sends what waits as soon as there is something, pulls what
 * screens watch and what the person would miss on the road, and slows down when nobody answers (S9).
 */
export function createEngine(about: About) {
  const { context, environment, product, loadLazy, evict } = about
  const { db, clock, random } = context
  const schedule = createPollSchedule(clock, random, environment.saveData)
  const watched = new Map<string, { list: ListRef; watchers: number }>()
  const watchedLists = () => [...watched.values()].map(({ list }) => list)
  const subscriptions = () => product.subscriptions(db, watchedLists(), clock.now())
  // What waited for want of an answer need not wait any longer.
  const reachability = createReachability(context, () => void wake())
  const poller = createListPoller({
    context,
    environment,
    product,
    schedule,
    reachability,
    subscriptions,
    evict,
  })
  const rounds = createRounds(clock, round)
  /** In the last round another tab, or the worker, was sending. */
  let isSentElsewhere = false
  let isHearing = false
  let fault: unknown
  /** The running attempt to send logouts; nothing else waits for it. */
  let revoking: Promise<void> | undefined
  let revokeTimer: unknown
  const undo: (() => void)[] = []

  async function start(): Promise<void> {
    rounds.start()
    // What fails here, on a full disk say, must not keep the rest from starting: it is done next time.
    await checkStored().catch((error) => note('The stored rows were not checked', { error }))
    undo.push(environment.onResume(() => wake()))
    if (environment.onLost) undo.push(environment.onLost(pollAll))
    follow(
      async () => hasWaiting(db),
      (some) => {
        if (!some) return
        schedule.resetPace()
        void rounds.run()
      },
    )
    let known: string | null | undefined = null
    follow(
      async () => (await currentLogin(db))?.token,
      (token) => {
        // The session is also written by every pull of `me`.
        if (token === known) return
        known = token
        if (token) void hearEvents()
        void wake()
      },
    )
    const stopFollowing = follow(
      () => product.holdsUnsynced(db),
      (some) => {
        if (!some) return
        environment.persistStorage?.()
        stopFollowing()
      },
    )
    await rounds.run()
  }

  /** Calls `next` with the answer of a query, again whenever it changes; returns how to stop. */
  function follow<T>(query: () => Promise<T>, next: (value: T) => unknown): () => void {
    const error = (cause: unknown) => note('A live query of the engine failed', { error: cause })
    const subscription = liveQuery(query).subscribe({ next, error })
    const stopFollowing = () => subscription.unsubscribe()
    undo.push(stopFollowing)
    return stopFollowing
  }

  /** Nothing can be unreadable on a phone that holds nothing yet. */
  async function checkStored(): Promise<void> {
    if (await product.holdsRows(db)) await (await loadLazy()).checkStored(context)
  }

  /** Pushed events, for whoever is logged in; loaded when the first is. */
  async function hearEvents() {
    if (isHearing) return
    isHearing = true
    // Not loaded for want of a network, it is asked for again when there may be one.
    const lazy = await loadLazy().catch(() => undefined)
    if (!lazy || rounds.isStopped()) isHearing = false
    else
      undo.push(
        lazy.hearEvents({
          context,
          environment,
          schedule,
          subscriptions,
          watched: watchedLists,
          runRound: rounds.run,
        }),
      )
  }

  async function stop(): Promise<void> {
    const stopped = rounds.stop()
    for (const each of undo.splice(0)) each()
    isHearing = false
    clock.clearTimeout(revokeTimer)
    await stopped
    await revoking
  }

  /** Whatever waits is tried now, unless the server itself named a later time (S13). */
  function wake(): Promise<void> {
    reachability.forget()
    schedule.pollAllNow()
    void revoke(true)
    return (async () => {
      await retryNow(db)
      await rounds.run()
    })()
  }

  /** Sends the logouts that have not reached the server. `now`: also those that wait for their next try. */
  function revoke(now = false): Promise<void> {
    clock.clearTimeout(revokeTimer)
    revoking ??= revokeTokens(now)
      // The next round tries again.
      .catch((error) => note('Logouts were not sent', { error }))
      .finally(() => {
        revoking = undefined
      })
    return revoking
  }

  async function revokeTokens(now: boolean): Promise<void> {
    if (!(await hasRevocations(db))) return
    const next = await (await loadLazy()).revokeTokens(context, now)
    if (next === undefined || rounds.isStopped()) return
    environment.wakeWorker()
    revokeTimer = clock.setTimeout(revoke, Math.max(250, next - clock.now()))
  }

  /** Whether anybody answers is asked now: a stream that is open may be silent for a minute first. */
  function pollAll(): void {
    schedule.pollAllNow()
    void rounds.run()
  }

  /** While watched, a list is pulled at once and kept fresh. Returns how to stop. */
  function watch(list: ListRef): () => void {
    const key = listKey(list)
    const known = watched.get(key)
    if (known) known.watchers++
    else {
      watched.set(key, { list, watchers: 1 })
      schedule.pollNow(key)
    }
    void rounds.run()
    return () => {
      const left = watched.get(key)
      if (left && --left.watchers === 0) watched.delete(key)
    }
  }

  function refresh(list: ListRef): Promise<void> {
    schedule.pollNow(listKey(list))
    return rounds.run()
  }

  /** Like `wake`, and again while another tab or the worker is sending: for whoever is about to leave. */
  async function flush(): Promise<void> {
    for (let tries = 0; tries < 40; tries++) {
      await wake()
      if (!isSentElsewhere) return
      await new Promise<void>((resolve) => clock.setTimeout(resolve, 250))
    }
  }

  /** Sends, pulls and tidies once; resolves to when the next round is due. */
  async function round(): Promise<number> {
    void revoke()
    try {
      const sendAgainAt = await withEviction(db, evict, send)
      const nextAt = Math.min(sendAgainAt, await poller.pullDue())
      await reachability.record()
      await collectGarbage()
      fault = undefined
      return nextAt
    } catch (error) {
      fault = error
      note('A round of the engine failed', { error })
      // The database was closed under us, or its disk is full: try again, later and later.
      return clock.now() + reachability.failed()
    }
  }

  /** Sends what may be sent; resolves to when something may be sent again, milliseconds since 1970. */
  async function send(): Promise<number> {
    isSentElsewhere = false
    if (!(await hasUnsent(db))) return Number.POSITIVE_INFINITY
    const late = clock.setTimeout(environment.wakeWorker, workerAfter)
    const lazy = await loadLazy()
    const drained = await lazy.drain(context).finally(() => clock.clearTimeout(late))
    if (!drained) {
      isSentElsewhere = true
      // Should the other sender be killed, what it left is ours to go on with.
      return (await hasSendable(db)) ? clock.now() + lookAgain : Number.POSITIVE_INFINITY
    }
    if (drained.nextAt !== undefined) environment.wakeWorker()
    const contact = contactFromDrain(drained)
    if (contact) {
      await reachability.note(contact)
      await reachability.record()
    }
    for (const list of drained.stale) schedule.pollNow(list)
    for (const lane of drained.refused) {
      const list = product.listOfLane(lane)
      if (list) await poller.poll(list)
    }
    return drained.nextAt ?? Number.POSITIVE_INFINITY
  }

  async function collectGarbage(): Promise<void> {
    await storeDiagnostics(db)
    if (!(await product.holdsGarbage(db))) return
    // Not loaded for want of a network, it is done another time.
    const lazy = await loadLazy().catch(() => undefined)
    await lazy?.collectGarbage(context)
  }

  /** What broke the last round, if anything did: a fault of ours or of the disk, never of the network. */
  const lastFault = () => fault

  return { start, stop, wake, flush, watch, refresh, revoke, runRound: rounds.run, lastFault }
}
