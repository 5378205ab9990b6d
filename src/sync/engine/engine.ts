import { liveQuery } from 'dexie'
import { hasAny } from '#store/database/has-any.ts'
import type { Tools } from '../platform/context.ts'
import type { Surroundings } from '../platform/environment.ts'
import { withRoom } from '../platform/storage-quota.ts'
import { tryNow } from '../push/backoff.ts'
import { busyElsewhere, send } from '../push/drain.ts'
import type { Drained } from '../push/sender.ts'
import { createReader } from './list-poller.ts'
import { setAside, tidy } from './maintenance.ts'
import { createAgenda } from './poll-schedule.ts'
import { createReach, heardWhile } from './reachability.ts'
import { wantedLists } from './subscriptions.ts'

export type Engine = ReturnType<typeof createEngine>

/**
 * When the device and the server meet. Sends what waits as soon as there is something, pulls what
 * screens watch and what the person would miss on the road, and slows down when nobody answers.
 */
export function createEngine(tools: Tools, surroundings: Surroundings) {
  const { db, clock, random } = tools
  const agenda = createAgenda(clock, random, surroundings.isThrifty)
  const watched = new Map<string, number>()
  const wanted = () => wantedLists(db, watched.keys(), clock.now())
  // What waited for want of an answer need not wait any longer.
  const reach = createReach(tools, () => void wake())
  const reader = createReader({ tools, surroundings, agenda, reach, wanted })
  let timer: unknown
  let running: Promise<void> | undefined
  /** The round that follows the running one, when somebody has asked for it. */
  let following: Promise<void> | undefined
  /** In the last round another tab, or the worker, was sending. */
  let elsewhere = false
  let stopped = true
  let hearing = false
  let fault: unknown
  /** Logouts the server has not heard of; nothing else waits for them. */
  let revoking: Promise<void> | undefined
  let revokeTimer: unknown
  const leave: (() => void)[] = []

  async function start(): Promise<void> {
    stopped = false
    // What stumbles here, on a full disk say, must not keep the rest from starting: it is done next time.
    await setAside(tools).catch(() => {})
    leave.push(surroundings.onBack(() => wake()))
    if (surroundings.onLost) leave.push(surroundings.onLost(lookAround))
    follow(someWaiting, (some) => {
      if (!some) return
      agenda.stir()
      turn()
    })
    let known: string | null | undefined = null
    follow(currentToken, (token) => {
      // The session is written for other reasons too: whatever a pull of `me` tells of.
      if (token === known) return
      known = token
      if (token) void hear()
      wake()
    })
    const stopKeeping = follow(someKept, (some) => {
      if (!some) return
      surroundings.askToKeep?.()
      stopKeeping()
    })
    await turn()
  }

  const someWaiting = async () => hasAny(db.outbox.where('state').equals('waiting'))
  const currentToken = async () => (await db.sessions.get('current'))?.token
  /** Whether this phone holds anything that only it has. */
  const someKept = async () => (await hasAny(db.outbox)) || hasAny(db.drafts)

  /** Calls `next` with the answer of a query, again whenever it changes; returns how to stop. */
  function follow<T>(query: () => Promise<T>, next: (value: T) => unknown): () => void {
    const subscription = liveQuery(query).subscribe({ next, error: () => {} })
    const undo = () => subscription.unsubscribe()
    leave.push(undo)
    return undo
  }

  /** Pushed news, for whoever is logged in; loaded when the first is. */
  async function hear() {
    if (hearing) return
    hearing = true
    // Not loaded for want of a network, it is asked for again when there may be one.
    const loaded = await import('../events/leader.ts').catch(() => undefined)
    if (!loaded || stopped) hearing = false
    else
      leave.push(
        loaded.hearNews({
          ...{ tools, surroundings, agenda, wanted, turn },
          watched: () => watched.keys(),
        }),
      )
  }

  async function stop(): Promise<void> {
    stopped = true
    for (const undo of leave.splice(0)) undo()
    hearing = false
    clock.clearTimeout(timer)
    clock.clearTimeout(revokeTimer)
    await running?.catch(() => {})
    await revoking
  }

  /** Whatever waits is tried now, unless the server itself named a later time. */
  function wake(): Promise<void> {
    reach.forget()
    agenda.hurryAll()
    void revoke(true)
    return (async () => {
      await tryNow(db)
      await turn()
    })()
  }

  /** Tells the server of logouts it has not heard of. `now`: also of those that wait for their next try. */
  function revoke(now = false): Promise<void> {
    clock.clearTimeout(revokeTimer)
    revoking ??= tryToRevoke(now)
      // The code could not be loaded, or the disk is full: the next round tries again.
      .catch(() => {})
      .finally(() => {
        revoking = undefined
      })
    return revoking
  }

  async function tryToRevoke(now: boolean): Promise<void> {
    if (!(await hasAny(db.revocations))) return
    const next = await (await import('../tidy.ts')).revokeTokens(tools, now)
    if (next === undefined || stopped) return
    surroundings.wakeWorker()
    revokeTimer = clock.setTimeout(revoke, Math.max(250, next - clock.now()))
  }

  /** Whether anybody answers is asked now: a stream that is open may be silent for a minute first. */
  function lookAround(): void {
    agenda.hurryAll()
    void turn()
  }

  /** While watched, a list is pulled at once and kept fresh. Returns how to stop. */
  function watch(name: string): () => void {
    watched.set(name, (watched.get(name) ?? 0) + 1)
    if (watched.get(name) === 1) agenda.hurry(name)
    void turn()
    return () => {
      const left = (watched.get(name) ?? 1) - 1
      if (left > 0) watched.set(name, left)
      else watched.delete(name)
    }
  }

  function refresh(name: string): Promise<void> {
    agenda.hurry(name)
    return turn()
  }

  /**
   * One round of sending and pulling at a time. Asked for during one, another follows it and is what
   * the asker waits for: the first may have passed already what they asked it for.
   */
  function turn(): Promise<void> {
    if (stopped) return Promise.resolve()
    if (running) {
      following ??= running.then(() => {
        following = undefined
        return turn()
      })
      return following
    }
    running = round().finally(() => {
      running = undefined
    })
    return running
  }

  /** Like `wake`, and again while another tab or the worker is sending: for whoever is about to leave. */
  async function flush(): Promise<void> {
    for (let tries = 0; tries < 40; tries++) {
      await wake()
      if (!elsewhere) return
      await new Promise<void>((resolve) => clock.setTimeout(resolve, 250))
    }
  }

  async function round(): Promise<void> {
    clock.clearTimeout(timer)
    void revoke()
    let wakeAt = Number.POSITIVE_INFINITY
    try {
      const drained = await withRoom(tools, () => send(tools, surroundings.wakeWorker))
      elsewhere = drained === undefined
      if (drained) await afterDrain(drained)
      wakeAt = Math.min(
        drained ? (drained.nextAt ?? wakeAt) : await busyElsewhere(tools),
        await reader.pullDue(),
      )
      await reach.record()
      await tidy(tools)
      fault = undefined
    } catch (error) {
      fault = error
      // The database was closed under us, or its disk is full: try again, later and later.
      wakeAt = clock.now() + reach.failed()
    }
    schedule(wakeAt)
  }

  async function afterDrain(drained: Drained): Promise<void> {
    const heard = heardWhile(drained)
    if (heard) {
      await reach.note(heard)
      await reach.record()
    }
    for (const list of drained.stale) agenda.hurry(list)
    for (const lane of drained.refused)
      if (!lane.includes(':')) await reader.ask(`delivery:${lane}`)
  }

  function schedule(at: number) {
    if (stopped || following || at === Number.POSITIVE_INFINITY) return
    const delay = Math.min(Math.max(at - clock.now(), 250), 5 * 60_000)
    timer = clock.setTimeout(() => void turn(), delay)
  }

  /** What broke the last round, if anything did: a fault of ours or of the disk, never of the network. */
  const lastFault = () => fault

  return { start, stop, wake, flush, watch, refresh, revoke, turn, lastFault }
}
