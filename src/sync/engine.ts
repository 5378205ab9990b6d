import { liveQuery, type Table } from 'dexie'
import type { Status } from '#domain/delivery.ts'
import { isCurrent } from '#domain/guest.ts'
import { guestAccount } from '#store/db.ts'
import { unsentStates } from '#store/entry.ts'
import { backoff, tryNow } from './backoff.ts'
import type { Surroundings } from './connectivity.ts'
import { listNamed, shared, standing } from './lists.ts'
import { pull } from './pull.ts'
import type { Drained } from './push.ts'
import { countBytes, noteReachable, tidy } from './status.ts'
import type { Tools } from './tools.ts'

export type Engine = ReturnType<typeof createEngine>

const lookAgain = 5_000
const guestsFollowed = 3
const longestPause = 60_000
/** What takes longer to send may be left to the worker: this tab may be closed any moment. */
const patience = 2_000

/**
 * When the device and the server meet. Sends what waits as soon as there is something, pulls what
 * screens watch and what the person would miss on the road, and slows down when nobody answers.
 */
export function createEngine(tools: Tools, surroundings: Surroundings) {
  const { db, clock, random } = tools
  const watched = new Map<string, number>()
  const dueAt = new Map<string, number>()
  let timer: unknown
  let running: Promise<void> | undefined
  /** The round that follows the running one, when somebody has asked for it. */
  let following: Promise<void> | undefined
  /** In the last round another tab, or the worker, was sending. */
  let elsewhere = false
  let stopped = true
  let unanswered = 0
  let fault: unknown
  const leave: (() => void)[] = []

  async function start(): Promise<void> {
    stopped = false
    await setAside()
    leave.push(surroundings.onBack(() => wake()))
    const unsent = liveQuery(() => db.outbox.where('state').equals('waiting').limit(1).count())
    const subscription = unsent.subscribe({ next: (some) => some > 0 && turn(), error: () => {} })
    leave.push(() => subscription.unsubscribe())
    const sessions = liveQuery(async () => (await db.sessions.get('current'))?.token)
    const watching = sessions.subscribe({ next: () => wake(), error: () => {} })
    leave.push(() => watching.unsubscribe())
    await turn()
  }

  async function stop(): Promise<void> {
    stopped = true
    for (const undo of leave.splice(0)) undo()
    clock.clearTimeout(timer)
    await running?.catch(() => {})
  }

  /** Whatever waits is tried now, unless the server itself named a later time. */
  function wake(): Promise<void> {
    unanswered = 0
    dueAt.clear()
    return (async () => {
      await tryNow(db)
      await turn()
    })()
  }

  /** While watched, a list is pulled at once and kept fresh. Returns how to stop. */
  function watch(name: string): () => void {
    watched.set(name, (watched.get(name) ?? 0) + 1)
    if (watched.get(name) === 1) dueAt.delete(name)
    void turn()
    return () => {
      const left = (watched.get(name) ?? 1) - 1
      if (left > 0) watched.set(name, left)
      else watched.delete(name)
    }
  }

  function refresh(name: string): Promise<void> {
    dueAt.delete(name)
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
    let wakeAt = Number.POSITIVE_INFINITY
    try {
      const drained = await send()
      elsewhere = drained === undefined
      if (drained?.reached !== undefined) await note(drained.reached)
      if (drained) await afterDrain(drained)
      wakeAt = Math.min(
        drained ? (drained.nextAt ?? wakeAt) : await busyElsewhere(),
        await pullDue(),
      )
      await tidy(tools)
      fault = undefined
    } catch (error) {
      fault = error
      // The database was closed under us, or its disk is full: try again, later and later.
      unanswered++
      wakeAt = clock.now() + backoff(unanswered + 2, random)
    }
    schedule(wakeAt)
  }

  /** Nothing can be unreadable on a phone that holds nothing yet. */
  async function setAside(): Promise<void> {
    const held = [db.outbox, db.deliveries, db.guests, db.drafts, db.sessions] as Table[]
    const counts = await Promise.all(held.map((table) => table.limit(1).count()))
    if (counts.every((count) => count === 0)) return
    const { setAsideUnreadable } = await import('#store/set-aside.ts')
    await setAsideUnreadable(db, clock.now())
  }

  /** The sender is loaded when there is something to send: a visitor's first page does without it. */
  async function send(): Promise<Drained | undefined> {
    if ((await db.outbox.where('state').anyOf(unsentStates).limit(1).count()) === 0)
      return { stale: new Set(), refused: new Set(), bytes: 0 }
    const late = clock.setTimeout(surroundings.wakeWorker, patience)
    const { drain } = await import('./push.ts')
    const drained = await drain(tools).finally(() => clock.clearTimeout(late))
    if (drained?.nextAt !== undefined) surroundings.wakeWorker()
    return drained
  }

  /** Another tab sends; should it be killed meanwhile, what it left is ours to go on with. */
  const busyElsewhere = async (): Promise<number> => {
    const waiting = await db.outbox.where('state').anyOf('waiting', 'sending', 'retrying').count()
    return waiting > 0 ? clock.now() + lookAgain : Number.POSITIVE_INFINITY
  }

  async function afterDrain(drained: Drained): Promise<void> {
    await countBytes(tools, drained.bytes)
    for (const list of drained.stale) dueAt.delete(list)
    for (const lane of drained.refused) if (!lane.includes(':')) await ask(`delivery:${lane}`)
  }

  /** Pulls every list whose time has come; returns when the next one's will. */
  async function pullDue(): Promise<number> {
    if (!surroundings.isVisible()) return Number.POSITIVE_INFINITY
    for (const name of await wanted()) {
      if ((dueAt.get(name) ?? 0) > clock.now()) continue
      if (!(await ask(name))) return clock.now() + pause()
    }
    const times = (await wanted()).map((name) => dueAt.get(name) ?? clock.now())
    return Math.min(...times)
  }

  /** How long nobody is asked anything after nobody answered. */
  const pause = () => Math.min(Math.max(1_000, backoff(unanswered, random)), longestPause)

  async function ask(name: string): Promise<boolean> {
    const { result, bytes, retryAfter } = await pull(tools, name)
    const every = (listNamed(name)?.every ?? 30_000) * (surroundings.isThrifty() ? 3 : 1)
    await countBytes(tools, bytes)
    if (result === 'unreachable') {
      await note(false)
      if (retryAfter !== undefined) dueAt.set(name, clock.now() + retryAfter)
      return false
    }
    if (result !== 'not-asked') await note(true)
    dueAt.set(name, clock.now() + every)
    return true
  }

  async function note(reached: boolean): Promise<void> {
    const wasDown = unanswered > 0
    unanswered = reached ? 0 : unanswered + 1
    await noteReachable(tools, reached)
    // Somebody answers again: what waited for want of an answer need not wait any longer.
    if (reached && wasDown) void wake()
  }

  async function wanted(): Promise<string[]> {
    const session = await db.sessions.get('current')
    const user = session && !session.expired ? session.user : undefined
    const names = new Set([...watched.keys(), ...shared, ...standing(user)])
    if (user) names.add('me')
    for (const id of await unfinishedGuestDeliveries()) names.add(`delivery:${id}`)
    return [...names]
  }

  /** The newest few: the specification lets a guest track one. */
  async function unfinishedGuestDeliveries(): Promise<string[]> {
    const now = clock.now()
    const guests = (await db.guests.toArray())
      .filter((record) => record.guestToken && isCurrent(record, now))
      .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
      .slice(0, guestsFollowed)
    const rows = await db.deliveries.bulkGet(
      guests.map(({ id }): [string, string] => [guestAccount, id]),
    )
    return guests.flatMap(({ id }, index) => (isOver(rows[index]?.view.status) ? [] : [id]))
  }

  function schedule(at: number) {
    if (stopped || following || at === Number.POSITIVE_INFINITY) return
    const delay = Math.min(Math.max(at - clock.now(), 250), 5 * 60_000)
    timer = clock.setTimeout(() => void turn(), delay)
  }

  /** What broke the last round, if anything did: a fault of ours or of the disk, never of the network. */
  const lastFault = () => fault

  return { start, stop, wake, flush, watch, refresh, turn, lastFault }
}

const isOver = (status: Status | undefined) => status === 'Approved' || status === 'Cancelled'
