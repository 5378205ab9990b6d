import type { Transport } from '#contract/transport.ts'
import { openSoma } from '#store/open.ts'
import { SomaDb } from '#store/soma-db.ts'
import { drain, pullScreen } from '#store/worker.ts'
import type { Clock, Locks } from '#sync/platform/context.ts'
import type { Moment } from '../oracles/watching/parking.ts'
import type { ReportFault } from '../oracles/watching/report-fault.ts'
import type { Random } from '../scenario/random.ts'
import { base } from '../scenario/seed-data.ts'
import { clockOf, type SimulatedTime } from './clock.ts'
import { type Change, guardDb } from './database-guard.ts'

/** Timers that fire so often in one minute, while no answer is waited for, are a loop. */
const restless = 150
/**
 * Timers that fire so often in one minute are a loop in any case: while answers are waited for the queue is looked
 * at twice a second (S71), and the time limit of each request is counted in steps.
 */
const restlessInAnyCase = 400

/** What a tab and a worker need of the phone they run on. */
export type Device = {
  readonly name: string
  readonly dbName: string
  readonly time: SimulatedTime
  readonly random: Random
  /** How wrong its clock is, in milliseconds. */
  readonly skew: number
  /** The browser says that there is no network, whether or not there is one. */
  readonly saysOffline: boolean
  readonly hasEventStream: boolean
  readonly newId: () => string
  readonly reportFault: ReportFault
  tabs: Tab[]
  isFull(): boolean
  /** A transaction of one of its pages, or of its worker, has committed. */
  onCommitted(changes: readonly Change[], moment: Moment): void
  locksOf(run: Run): Locks
  storageOf(run: Run): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  transportOf(run: Run): Transport
  /** Whether a request of this page or worker is under way; a stream is not waited for. */
  awaitsAnswer(run: Run): boolean
  onRunEnded(run: Run): void
}

/** One tab of a phone, or its service worker: it may be killed at any moment. */
export abstract class Run {
  readonly name: string
  readonly phone: Device
  protected readonly clock: Clock
  protected readonly locks: Locks
  private dead = false
  /** Those that go on when a frozen page runs again; nothing while it runs. */
  private frozen: (() => void)[] | undefined
  /** So many things asked of the database from now, it is killed. */
  private stepsLeft = Number.POSITIVE_INFINITY
  private cutOff: (() => void)[] = []
  /** In which minute of the world's time its timers last woke it, how often in that, and how often for no answer. */
  private minute = 0
  private wakings = 0
  private idleWakings = 0

  constructor(phone: Device, name: string) {
    this.phone = phone
    this.name = `${phone.name}, ${name}`
    this.clock = clockOf(phone.time, {
      isAlive: () => !this.dead,
      skew: () => phone.skew,
      thawed: this.thawed,
      isFrozen: this.isFrozen,
      woken: () => this.woken(),
    })
    this.locks = phone.locksOf(this)
    this.skewAtStart = phone.skew
  }

  /** How wrong the phone's clock was when it was opened: its clock that is never set stays as wrong. */
  readonly skewAtStart: number

  isDead = (): boolean => this.dead
  isFrozen = (): boolean => this.frozen !== undefined
  thawed = (): Promise<void> =>
    new Promise((resolve) => {
      if (this.frozen) this.frozen.push(resolve)
      else resolve()
    })

  /** The browser stops the page: its timers do not fire and no answer reaches it. */
  freeze(): void {
    this.frozen ??= []
  }

  /** The browser lets the page run again. */
  thaw(): void {
    const waiting = this.frozen ?? []
    this.frozen = undefined
    for (const goOn of waiting) goOn()
  }

  /** Ends it at once: its open transactions are rolled back. */
  kill(): void {
    if (this.dead) return
    this.dead = true
    for (const cut of this.cutOff) cut()
    this.phone.onRunEnded(this)
  }

  /** Kills it after so many database operations. */
  crashAfter(steps: number): void {
    this.stepsLeft = steps
  }

  private woken(): void {
    const minute = Math.floor(this.phone.time.now() / 60_000)
    if (minute !== this.minute) {
      this.minute = minute
      this.wakings = 0
      this.idleWakings = 0
    }
    this.wakings++
    if (!this.phone.awaitsAnswer(this)) this.idleWakings++
    if (this.idleWakings === restless || this.wakings === restlessInAnyCase)
      this.phone.reportFault('rest', `${this.name} never rests`)
  }

  protected guard(db: SomaDb): void {
    this.cutOff.push(
      guardDb(db, {
        isDead: this.isDead,
        step: () => {
          if (this.stepsLeft-- <= 0) this.kill()
        },
        isFull: () => this.phone.isFull(),
        committed: (changes) =>
          this.phone.onCommitted(changes, {
            now: this.clock.now(),
            at: this.phone.time.now(),
          }),
      }),
    )
  }

  protected transport() {
    return this.phone.transportOf(this)
  }
}

/** The real app without its screens: the real store and the real engine. */
export class Tab extends Run {
  readonly soma: ReturnType<typeof openSoma>
  private isLookedAt = true
  private readonly backs = new Set<() => void>()
  private readonly hides = new Set<() => void>()
  private readonly losses = new Set<() => void>()

  constructor(phone: Device, name: string) {
    super(phone, name)
    this.soma = openSoma({
      base,
      dbName: phone.dbName,
      transport: this.transport(),
      clock: this.clock,
      locks: this.locks,
      storage: phone.storageOf(this),
      random: phone.random.fraction,
      newId: phone.newId,
      environment: {
        onResume: noting(this.backs),
        onLost: noting(this.losses),
        isOffline: () => phone.saysOffline,
        onHidden: phone.hasEventStream ? noting(this.hides) : undefined,
        isVisible: () => this.isLookedAt,
        saveData: () => false,
        wakeWorker: () => {},
      },
    })
    this.guard(this.soma.db)
  }

  set visible(isLookedAt: boolean) {
    const hidden = this.isLookedAt && !isLookedAt
    this.isLookedAt = isLookedAt
    if (hidden) for (const work of [...this.hides]) if (!this.isDead()) work()
  }

  get visible(): boolean {
    return this.isLookedAt
  }

  /** The network may be there again, or the person looks at it again. */
  comeBack(): void {
    for (const work of [...this.backs]) if (!this.isDead()) work()
  }

  /** The browser reports that the network is gone. */
  loseNetwork(): void {
    for (const work of [...this.losses]) if (!this.isDead()) work()
  }

  override kill(): void {
    super.kill()
    // Its live queries die with it; they would go on being asked for.
    void this.soma.engine.stop()
  }

  async close(): Promise<void> {
    // Nobody looks at it any more, though what it is about may still come to its end.
    this.phone.tabs = this.phone.tabs.filter((tab) => tab !== this)
    await this.soma.engine.stop()
    this.soma.db.close()
    this.kill()
  }
}

/** Adds a listener and returns the function that removes it. */
const noting = (kept: Set<() => void>) => (work: () => void) => {
  kept.add(work)
  return () => void kept.delete(work)
}

/** The service worker: `store/worker.ts` itself, with the simulated clock and network. */
export class Worker extends Run {
  /** `path`: of the screen that a push message has named; else it sends what waits. */
  async run(path?: string): Promise<void> {
    const { random, dbName } = this.phone
    const db = new SomaDb(dbName)
    this.guard(db)
    try {
      const surroundings = {
        db,
        transport: this.transport(),
        clock: this.clock,
        locks: this.locks,
        random: random.fraction,
        newId: this.phone.newId,
        isOffline: () => this.phone.saysOffline,
        holder: this.name,
      }
      await (path ? pullScreen(base, path, surroundings) : drain(base, surroundings))
    } finally {
      this.kill()
    }
  }
}
