import { dataSaver } from '../database/device/data-saver.ts'
import { note, storeDiagnostics } from '../database/device/diagnostics.ts'
import { updateRequired } from '../database/device/update.ts'
import { type Evict, withEviction } from '../database/with-eviction.ts'
import { type ListRef, listKey } from '../lists/list-ref.ts'
import { createLogouts } from '../logouts/logouts.ts'
import type { Model } from '../model.ts'
import { retryNow } from '../outbox/backoff.ts'
import { hasSendable, hasUnsent } from '../outbox/unsent.ts'
import { createPause, type SyncContext } from '../platform/context.ts'
import type { Environment } from '../platform/environment.ts'
import { followQuery } from '../platform/follow-query.ts'
import type { MonotonicTime } from '../time.ts'
import { followDevice, persistOnce } from './follow-device.ts'
import { createListPoller } from './list-poller.ts'
import { createPollSchedule } from './poll-schedule.ts'
import { contactFromDrain, createReachability } from './reachability.ts'
import { createRounds } from './rounds.ts'
import { createWatchedLists } from './watched-lists.ts'

/*
 * Two loops of rounds; neither waits for the other (S71):
 *
 *            +----------- next round is due, or asked for ------------+
 *            v                                                        |
 *     sending: is anything unsent? -- no ---------------------> idle until asked
 *            | yes                                                    ^
 *            v                                                        |
 *          drain --- another tab sends ---> look again in 5 s --------+
 *            |                                                        |
 *            | outcomes: stale lists are due, refused lanes' lists    |
 *            | are owed, and a pulling round begins                   |
 *            +--- something waits ---> idle until `nextAt` -----------+
 *
 *     pulling: owed lists -> lists that are due -> record contacts -> collect garbage
 *            ^                                                        |
 *            +---- a list is due, watched, stale or pushed -----------+
 *
 * Who begins a round: a new entry, a screen (`watch`, `refresh`), a pushed event, a login, the page looked at again
 * (`wake`), or somebody who responds after nobody did. A round that fails is tried again, later and later.
 */

export type Engine = ReturnType<typeof createEngine>

/** Milliseconds after which what another tab sends is looked at again. */
const lookAgain = 5_000
/** What takes longer to send, milliseconds, may be left to the worker: this tab may be closed any moment. */
const workerAfter = 2_000

type About = {
  context: SyncContext
  environment: Environment
  model: Model
}

/**
 * When the device and the server meet. Sends what waits as soon as there is something, pulls what
 * screens watch and what the person would miss while away, and slows down when nobody responds (S9).
 */
export function createEngine(about: About) {
  const { context, environment, model } = about
  const { db, clock, random } = context
  const { loadLazy } = model
  const evict: Evict = () => model.evict(context)
  /** What the person chose on this device; where they did not, the phone's own setting counts. */
  let chosenSaving: boolean | undefined
  const saves = () => chosenSaving ?? environment.saveData()
  const schedule = createPollSchedule(clock, random, saves)
  const watched = createWatchedLists()
  /** All that is asked for of a server that takes only newer builds of the app (S48). */
  const versionLists = model.versionList ? [model.versionList] : []
  const subscriptions = async () =>
    (await updateRequired(db)) ? versionLists : model.subscriptions(db, watched.all(), clock.now())
  const reachability = createReachability(context, onBack)
  const poller = createListPoller({
    context,
    environment,
    model,
    schedule,
    reachability,
    subscriptions,
    followWatched: watched.follow,
    onLate: () => void pulling.run(),
    evict,
  })
  /** Neither waits for the other: a file may go up for a minute (S71). */
  const sending = createRounds(
    clock,
    guarded('sending', () => withEviction(db, evict, send)),
  )
  const pulling = createRounds(clock, guarded('pulling', pull))
  const logouts = createLogouts({ context, environment, loadLazy, isStopped: sending.isStopped })
  /** Lists that what was sent has changed, or not (S49): they are asked for at once, whatever their pace. */
  const owed: ListRef[] = []
  /** In the last round another tab, or the worker, was sending. */
  let isSentElsewhere = false
  let isHearing = false
  /** What broke the last round of each kind, if anything did. */
  const faults = new Map<string, unknown>()
  const undo: (() => void)[] = []

  async function start(): Promise<void> {
    sending.start()
    pulling.start()
    // What fails here, on a full disk say, must not keep the rest from starting: it is done next time.
    await checkStored().catch((error) => note('The stored rows were not checked', { error }))
    undo.push(environment.onResume(() => wake()))
    if (environment.onLost) undo.push(environment.onLost(pollAll))
    undo.push(
      ...followDevice(db, {
        onQueued: () => {
          schedule.resetPace()
          // What it brings is pulled afterwards.
          void sending.run()
        },
        // What was asked for by then need not be asked again.
        onLogin: (isFirst) => void (isFirst ? run() : wake()),
        onUpdateRequired: () => environment.checkForUpdate?.(),
        onUpdated: () => void wake(),
        onPullInFull: (lists) => {
          for (const list of lists) schedule.pollNow(list)
          void pulling.run()
        },
      }),
      persistOnce(db, model, environment),
      followQuery(
        () => dataSaver(db),
        (chosen) => {
          chosenSaving = chosen.saves
          // Uploads may leave now.
          void run()
        },
      ),
      followQuery(
        // Once events are heard, nothing is read here, and no change looked at.
        async () => !isHearing && model.hasListener(db),
        (some) => some && void hearEvents(),
      ),
    )
    await wake()
  }

  /** Sends and pulls; resolves once what was sent has been pulled, too. */
  async function run(): Promise<void> {
    await Promise.all([sending.run(), pulling.run()])
    await pulling.settled()
  }

  /** Nothing can be unreadable on a phone that holds nothing yet. */
  async function checkStored(): Promise<void> {
    if (await model.hasRows(db)) await (await loadLazy()).checkStored(context)
  }

  /** Pushed events, for whoever is logged in or a guest; loaded when there is the first of them. */
  async function hearEvents() {
    if (isHearing) return
    isHearing = true
    // Not loaded for want of a network, it is asked for again when there may be one.
    const lazy = await loadLazy().catch(() => undefined)
    if (!lazy || pulling.isStopped()) isHearing = false
    else
      undo.push(
        lazy.hearEvents({
          context,
          environment,
          schedule,
          subscriptions,
          watched: watched.all,
          followWatched: watched.follow,
          runRound: pulling.run,
        }),
      )
  }

  /** Somebody responds, after nobody did: what waited for want of a response need not wait any longer. */
  function onBack(): void {
    schedule.wakeFailing()
    void logouts.send(true)
    retryNow(db).then(
      () => void run(),
      (error) => note('What waits was not hurried', { error }),
    )
  }

  async function stop(): Promise<void> {
    const stopped = Promise.all([sending.stop(), pulling.stop()])
    for (const each of undo.splice(0)) each()
    isHearing = false
    await stopped
    await logouts.stop()
  }

  /** Whatever waits is tried now, unless the server itself named a later time (S13). */
  function wake(): Promise<void> {
    schedule.retryAllNow()
    void logouts.send(true)
    return (async () => {
      await retryNow(db)
      await run()
    })()
  }

  /** Whether anybody responds is asked now: a stream that is open may be silent for a minute first. */
  function pollAll(): void {
    schedule.retryAllNow()
    void run()
  }

  /** While watched, a list is pulled at once and kept fresh. Returns how to stop. */
  function watch(list: ListRef): () => void {
    if (watched.add(list)) schedule.retryNow(listKey(list))
    void pulling.run()
    return () => watched.remove(list)
  }

  function refresh(list: ListRef): Promise<void> {
    schedule.retryNow(listKey(list))
    return pulling.run()
  }

  /** Like `wake`, and again while another tab or the worker is sending: for whoever is about to leave. */
  async function flush(): Promise<void> {
    for (let tries = 0; tries < 40; tries++) {
      await wake()
      if (!isSentElsewhere) return
      await createPause(clock).wait(250)
    }
  }

  /** A round that never rejects: after one that failed the next is due later and later. */
  function guarded(kind: string, round: () => Promise<number>): () => Promise<number> {
    return async () => {
      try {
        const nextAt = await round()
        faults.delete(kind)
        if (faults.size === 0) reachability.worked()
        return nextAt
      } catch (error) {
        faults.set(kind, error)
        note(`A round of ${kind} failed`, { error })
        // The database was closed under us, or its disk is full: try again, later and later.
        return clock.monotonic() + reachability.failed(random)
      }
    }
  }

  /** Pulls what is due and tidies; resolves to when something is due again. */
  async function pull(): Promise<MonotonicTime> {
    for (const list of owed.splice(0)) await poller.poll(list)
    await poller.settleDoubt('outbox')
    const nextAt = await poller.pullDue()
    await reachability.record()
    await collectGarbage()
    return nextAt
  }

  /** Sends what may be sent; resolves to when something may be sent again. */
  async function send(): Promise<MonotonicTime> {
    void logouts.send()
    if (!(await hasUnsent(db)) || (await updateRequired(db))) {
      isSentElsewhere = false
      return Number.POSITIVE_INFINITY
    }
    const late = clock.setTimeout(environment.wakeWorker, workerAfter)
    const lazy = await loadLazy()
    const drained = await lazy.drain(context).finally(() => clock.clearTimeout(late))
    // Known only now: whoever waits for it must not see the next round begin.
    isSentElsewhere = drained === undefined
    if (!drained) {
      // Should the other sender be killed, what it left is ours to go on with.
      return (await hasSendable(db)) ? clock.monotonic() + lookAgain : Number.POSITIVE_INFINITY
    }
    if (drained.nextAt !== undefined) environment.wakeWorker()
    const contact = contactFromDrain(drained)
    if (contact) await reachability.note('outbox', contact)
    for (const list of drained.stale) schedule.pollNow(list)
    for (const list of model.owedAfter(drained)) {
      schedule.pollNow(listKey(list))
      owed.push(list)
    }
    if (contact) void pulling.run()
    return drained.nextAt ?? Number.POSITIVE_INFINITY
  }

  async function collectGarbage(): Promise<void> {
    await storeDiagnostics(db)
    if (!(await model.hasGarbage(db))) return
    // Not loaded for want of a network, it is done another time.
    const lazy = await loadLazy().catch(() => undefined)
    await lazy?.collectGarbage(context)
  }

  /** What broke the last round, if anything did: a fault of ours or of the disk, never of the network. */
  const lastFault = () => [...faults.values()][0]

  return {
    start,
    stop,
    wake,
    flush,
    watch,
    refresh,
    revoke: logouts.send,
    runRound: run,
    lastFault,
  }
}
