import Dexie from 'dexie'
import { IDBFactory } from 'fake-indexeddb'
import type { Clock } from '#sync/platform/context.ts'
import type { Random } from '../scenario/random.ts'

export type SimulatedTime = ReturnType<typeof createSimulatedTime>

type Timer = { at: number; order: number; work: () => void }

const realImmediate = globalThis.setImmediate
const realTimeout = globalThis.setTimeout
const realRounds = { setInterval: globalThis.setInterval, clearInterval: globalThis.clearInterval }
const realNow = Date.now
const realFactory = Dexie.dependencies.indexedDB
const realPost = BroadcastChannel.prototype.postMessage
const noon = Date.UTC(2026, 2, 3, 12)
type Watchers = { subscribers: unknown[]; unsubscribe(each: unknown): void }
/** All live queries of this process. */
const watchers = () => Dexie.on('storagemutated') as unknown as Watchers
/** Idle turns of the event loop after which the simulation is at rest. */
const restTurns = 3
/** Real milliseconds, and turns, within which everything must come to rest. */
const stuckAfter = 20_000
const manyTurns = 10_000

/**
 * Simulated time that passes only when `pass` is called. Every timer and every pending message is
 * registered here, so that rest is detected without waiting, and the seed decides which message arrives
 * next.
 */
export function createSimulatedTime(random: Random) {
  let now = noon
  let order = 0
  let tasks = 0
  let busy = 0
  let watching: unknown[] = []
  const timers = new Set<Timer>()
  const travelling: (() => void)[] = []

  /** Pending tasks of the database: fake-indexeddb uses one for each request. */
  const counted = (work: (...args: unknown[]) => void, ...args: unknown[]) => {
    tasks++
    return realImmediate(() => {
      tasks--
      work(...args)
    })
  }

  const turnOfLoop = () => new Promise<void>((resolve) => void realImmediate(resolve))

  /** Runs until nothing more happens without a timer or a pending message. */
  async function rest(): Promise<void> {
    const began = performance.now()
    for (let calm = 0, turns = 0; calm < restTurns; turns++) {
      await turnOfLoop()
      // A machine that was suspended has run few turns.
      if (turns > manyTurns && performance.now() - began > stuckAfter)
        throw new Error(`Nothing comes to rest: ${tasks} tasks, ${busy} at work`)
      calm = tasks === 0 && busy === 0 ? calm + 1 : 0
    }
  }

  /** Lets one pending message arrive. False when there is none. */
  async function arrive(): Promise<boolean> {
    await rest()
    const [next] = travelling.splice(Math.floor(random.fraction() * travelling.length), 1)
    if (!next) return false
    next()
    await rest()
    return true
  }

  function setTimer(work: () => void, delay: number): Timer {
    const timer = { at: now + Math.max(0, delay), order: order++, work }
    timers.add(timer)
    return timer
  }

  /** The server's periodic jobs. */
  function setRounds(work: () => void, every: number) {
    const rounds = { timer: setTimer(again, every), unref: () => {} }
    function again() {
      rounds.timer = setTimer(again, every)
      work()
    }
    return rounds
  }

  const nextTimer = (until: number) =>
    [...timers]
      .filter(({ at }) => at <= until)
      .reduce<Timer | undefined>(
        (first, each) =>
          !first || each.at < first.at || (each.at === first.at && each.order < first.order)
            ? each
            : first,
        undefined,
      )

  /** Lets `ms` milliseconds pass; due timers fire in order. */
  async function pass(ms: number): Promise<void> {
    const end = now + ms
    for (;;) {
      while (await arrive());
      const timer = nextTimer(end)
      if (!timer) break
      timers.delete(timer)
      now = Math.max(now, timer.at)
      timer.work()
    }
    now = end
  }

  return {
    now: () => now,
    /** All devices sleep for `ms` milliseconds; timers due meanwhile fire late. */
    sleepThrough: (ms: number) => {
      now += ms
    },
    rest,
    arrive,
    pass,
    setTimer,
    clearTimer: (timer: Timer) => void timers.delete(timer),
    sleep: (ms: number) => new Promise<void>((resolve) => void setTimer(resolve, ms)),
    /** Queues a message that may overtake others. */
    travel: () => new Promise<void>((resolve) => void travelling.push(resolve)),
    /** While this runs the simulation is not at rest: another process is working. */
    async whileBusy<T>(work: () => Promise<T>): Promise<T> {
      busy++
      try {
        return await work()
      } finally {
        busy--
      }
    },
    /** Whether work that needs only this phone ends without time passing. */
    async done(work: Promise<unknown>): Promise<boolean> {
      let ended = false
      const end = () => {
        ended = true
      }
      void work.then(end, end)
      await rest()
      return ended
    },
    /** Until `restore` the process runs on this time; `rounds`: intervals too. */
    install(rounds: boolean) {
      // Each scenario has an IndexedDB of its own, and no live query left from the one before.
      Object.assign(Dexie.dependencies, { indexedDB: new IDBFactory() })
      watching = [...watchers().subscribers]
      Object.assign(globalThis, {
        setImmediate: counted,
        setTimeout: (work: () => void, delay = 0, ...args: unknown[]) =>
          delay === 0 ? counted(work, ...args) : realTimeout(work, delay, ...args),
      })
      if (rounds)
        Object.assign(globalThis, {
          setInterval: setRounds,
          clearInterval: (each: ReturnType<typeof setRounds>) => timers.delete(each.timer),
        })
      // All tabs are in this process, so Dexie's messages to other tabs have no reader.
      BroadcastChannel.prototype.postMessage = () => {}
      Date.now = () => now
    },
    restore() {
      for (const each of [...watchers().subscribers])
        if (!watching.includes(each)) watchers().unsubscribe(each)
      Object.assign(globalThis, { setImmediate: realImmediate, setTimeout: realTimeout })
      Object.assign(globalThis, realRounds)
      BroadcastChannel.prototype.postMessage = realPost
      Date.now = realNow
      Object.assign(Dexie.dependencies, { indexedDB: realFactory })
    },
  }
}

/** What a tab's or worker's clock needs to know of it. */
type ClockOwner = {
  isAlive(): boolean
  /** How wrong the phone's clock is, in milliseconds. */
  skew(): number
  /** Resolves at once, or when a frozen page runs again. */
  thawed(): Promise<void>
  isFrozen(): boolean
  woken(): void
}

/**
 * A phone's clock: it may be wrong and may be set; its timers use the simulated time, and those of a frozen
 * page fire when it runs again. `monotonic` counts on from what the clock said when the page was opened.
 */
export function clockOf(time: SimulatedTime, owner: ClockOwner): Clock {
  const skewAtStart = owner.skew()
  const wake = (timer: { isCleared: boolean }, work: () => void) => {
    if (!owner.isAlive() || timer.isCleared) return
    if (owner.isFrozen()) return void owner.thawed().then(() => wake(timer, work))
    owner.woken()
    work()
  }
  return {
    now: () => time.now() + owner.skew(),
    monotonic: () => time.now() + skewAtStart,
    setTimeout: (work, delay) => {
      const state = { isCleared: false }
      const timer = time.setTimer(() => wake(state, work), delay)
      return { state, timer }
    },
    clearTimeout: (given) => {
      if (!given) return
      const { state, timer } = given as { state: { isCleared: boolean }; timer: Timer }
      state.isCleared = true
      time.clearTimer(timer)
    },
  }
}
