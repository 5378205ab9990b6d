import { deleteState, getState, putState } from '../database/device/state.ts'
import { type Evict, withEviction } from '../database/with-eviction.ts'
import { type ListRef, listKey } from '../lists/list-ref.ts'
import type { Model, Pull } from '../model.ts'
import type { SyncContext } from '../platform/context.ts'
import type { Environment } from '../platform/environment.ts'
import type { MonotonicTime } from '../time.ts'
import type { PollSchedule } from './poll-schedule.ts'
import { contactFromPull, type Reachability } from './reachability.ts'

type About = {
  context: SyncContext
  environment: Environment
  model: Model
  schedule: PollSchedule
  reachability: Reachability
  subscriptions: () => Promise<ListRef[]>
  /** Calls its argument when a screen is opened or closed. */
  followWatched: (work: () => void) => unknown
  /** A request that a round no longer waited for has ended. */
  onLate: () => void
  evict: Evict
}

/** So many lists are asked for side by side: as many connections as browsers open to one server. */
const atOnce = 6
/** Milliseconds after which a request without a response holds up neither another list nor the round. */
const slowAfter = 3_000

/** Asks the server for lists when they are due; each fails alone (S45). */
export function createListPoller(about: About) {
  const { context, environment, model, schedule, reachability, evict } = about
  const { db, clock } = context
  const subscriptions = rememberUntilChange(about)
  /** Keys of lists that are being asked for. */
  const underWay = new Set<string>()
  let isAskingAnother = false

  /** Returns when the next list is due. */
  async function pullDue(): Promise<MonotonicTime> {
    if (!environment.isVisible()) return Number.POSITIVE_INFINITY
    subscriptions.forget()
    const asked = new Set<string>()
    const asking = Array.from({ length: atOnce }, () => askInTurn(asked))
    const ended = await Promise.allSettled(asking)
    const broken = ended.find((each) => each.status === 'rejected')
    if (broken) throw broken.reason
    const idle = (await subscriptions.all()).map(listKey).filter((key) => !underWay.has(key))
    return Math.min(...idle.map(schedule.due))
  }

  /** Asks for one list after another until none is due that was not asked for in this round. */
  async function askInTurn(asked: Set<string>): Promise<void> {
    for (;;) {
      const lists = await subscriptions.all()
      const next = lists.find((list) => isDue(list, asked))
      if (!next) return
      asked.add(listKey(next))
      await notForLong(poll(next))
    }
  }

  function isDue(list: ListRef, asked: Set<string>): boolean {
    const key = listKey(list)
    return !asked.has(key) && !underWay.has(key) && schedule.due(key) <= clock.monotonic()
  }

  /** Waits for a pull, but not for one that hangs: its end begins another round. */
  async function notForLong(pull: Promise<unknown>): Promise<void> {
    let timer: unknown
    let isLate = false
    const late = new Promise<void>((resolve) => {
      timer = clock.setTimeout(() => {
        isLate = true
        resolve()
      }, slowAfter)
    })
    const ended = pull.then(
      () => isLate && about.onLate(),
      (error) => {
        if (!isLate) throw error
        // What breaks a pull of its own accord breaks the next round as well, and is noted there.
        about.onLate()
      },
    )
    await Promise.race([ended, late]).finally(() => clock.clearTimeout(timer))
  }

  async function poll(list: ListRef): Promise<void> {
    const key = listKey(list)
    if (underWay.has(key)) return
    underWay.add(key)
    schedule.asked(key)
    try {
      const pull = await withEviction(db, evict, () => model.pull(context, list))
      // A response may change which lists there are: of a person, their role; of a guest, what is over.
      if (pull.result !== 'unchanged') subscriptions.forget()
      await schedulePull(key, pull)
      underWay.delete(key)
      if (pull.result !== 'not-asked') await noteContact(key, pull)
    } catch (error) {
      schedule.failed(key, {})
      throw error
    } finally {
      underWay.delete(key)
    }
  }

  async function schedulePull(key: string, pull: Pull): Promise<void> {
    if (pull.result === 'fresh' || pull.result === 'unchanged' || pull.result === 'not-asked') {
      const isFresh = pull.result === 'fresh'
      if (schedule.responded(key, pull.every, isFresh)) await noteWorking(key)
      return
    }
    const isFirst = schedule.failed(key, pull)
    // What was refused is known, and what could not be read is shown as such.
    if (isFirst && pull.result === 'unreachable') await putState(db, `failing:${key}`, true)
    if (pull.result !== 'unreachable') await noteWorking(key)
  }

  async function noteWorking(key: string): Promise<void> {
    if (await getState(db, `failing:${key}`)) await deleteState(db, `failing:${key}`)
  }

  async function noteContact(key: string, pull: Pull): Promise<void> {
    await reachability.note(key, contactFromPull(pull))
    await settleDoubt(key)
  }

  /**
   * Where one list, or the sender, alone brings no response, a list that had a response is asked before it
   * says “Offline” (S47). `silent`: the key of whoever had none.
   */
  async function settleDoubt(silent: string): Promise<void> {
    const other = reachability.inDoubt()
    if (other === undefined || isAskingAnother || underWay.has(other)) return
    isAskingAnother = true
    try {
      const lists = (await subscriptions.all()).filter((list) => !underWay.has(listKey(list)))
      const list =
        lists.find((each) => listKey(each) === other) ??
        lists.find((each) => listKey(each) !== silent)
      if (list) await poll(list)
    } finally {
      isAskingAnother = false
    }
    await reachability.settleDoubt()
  }

  return {
    pullDue,
    settleDoubt,
    /** Asks for one list at once, whatever its pace. */
    poll: (list: ListRef): Promise<void> => notForLong(poll(list)),
  }
}

/**
 * Which lists there are, looked up once for a round and again after what may have changed them. What else
 * changes them, a login say, asks for a round of its own.
 */
function rememberUntilChange({ subscriptions, followWatched }: About) {
  let known: Promise<ListRef[]> | undefined
  const forget = () => {
    known = undefined
  }
  followWatched(forget)
  return { all: () => (known ??= subscriptions()), forget }
}
