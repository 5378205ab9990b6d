import { withEviction } from '#store/database/with-eviction.ts'
import { evict } from '#store/deliveries/evict.ts'
import { retryNow } from '#store/outbox/backoff.ts'
import { SomaDb } from '#store/soma-db.ts'
import { pushProduct } from '#sync/deliveries/push-product.ts'
import { openSoma } from '#sync/open.ts'
import type { Clock, Locks, SyncContext } from '#sync/platform/context.ts'
import { createTrafficMeter } from '#sync/platform/traffic-meter.ts'
import { drain } from '#sync/push/sender.ts'
import { base } from '../scenario/seed-data.ts'
import { clockOf } from './clock.ts'
import { guardDb } from './database-guard.ts'
import type { Phone } from './phone.ts'

/** So often in one minute nothing can be worth waking for. */
const restless = 150

/** One page of a phone, or its worker: whatever of the app may be killed at any moment. */
export abstract class Life {
  readonly name: string
  readonly phone: Phone
  protected readonly clock: Clock
  protected readonly locks: Locks
  private dead = false
  /** So many things asked of the database from now, it is killed. */
  private stepsLeft = Number.POSITIVE_INFINITY
  private cutOff: (() => void)[] = []
  /** In which minute of the world's time its timers last woke it, and how often in that. */
  private minute = 0
  private wakings = 0

  constructor(phone: Phone, name: string) {
    this.phone = phone
    this.name = `${phone.name}, ${name}`
    this.clock = clockOf(
      phone.time,
      () => !this.dead,
      () => phone.skew,
      () => this.woken(),
    )
    this.locks = phone.locksOf(this)
  }

  isDead = (): boolean => this.dead

  /** Nothing more runs, nothing is said, and what it had half written is undone. */
  kill(): void {
    if (this.dead) return
    this.dead = true
    for (const cut of this.cutOff) cut()
    this.phone.died(this)
  }

  /** It will be killed in the middle of whatever comes then. */
  doom(steps: number): void {
    this.stepsLeft = steps
  }

  private woken(): void {
    const minute = Math.floor(this.phone.time.now() / 60_000)
    this.wakings = minute === this.minute ? this.wakings + 1 : 1
    this.minute = minute
    if (this.wakings === restless) this.phone.blame('rest', `${this.name} never rests`)
  }

  protected guard(db: SomaDb): void {
    this.cutOff.push(
      guardDb(db, {
        isDead: this.isDead,
        step: () => {
          if (this.stepsLeft-- <= 0) this.kill()
        },
        isFull: () => this.phone.isFull(),
        committed: (changes) => this.phone.witness.saw(changes, this.clock.now()),
      }),
    )
  }

  protected transport() {
    return this.phone.transportOf(this)
  }
}

/** The real app without its screens: the real store and the real engine. */
export class Tab extends Life {
  readonly soma: ReturnType<typeof openSoma>
  private isLookedAt = true
  private readonly backs = new Set<() => void>()
  private readonly hides = new Set<() => void>()

  constructor(phone: Phone, name: string) {
    super(phone, name)
    this.soma = openSoma({
      base,
      dbName: phone.dbName,
      transport: this.transport(),
      clock: this.clock,
      locks: this.locks,
      storage: phone.storageOf(this),
      random: phone.dice.share,
      newId: phone.newId,
      environment: {
        onResume: noting(this.backs),
        onHidden: phone.hearsNews ? noting(this.hides) : undefined,
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

/** Keeps what is to be done at some moment; gives back how to forget it. */
const noting = (kept: Set<() => void>) => (work: () => void) => {
  kept.add(work)
  return () => void kept.delete(work)
}

/** The service worker, woken: what `sync/worker.ts` does, with this world's clock and road. */
export class Worker extends Life {
  async run(): Promise<void> {
    const { dice, dbName } = this.phone
    const db = new SomaDb(dbName)
    this.guard(db)
    await db.open()
    await retryNow(db)
    const context: SyncContext<SomaDb> = {
      db,
      base,
      traffic: createTrafficMeter(),
      transport: this.transport(),
      clock: this.clock,
      cachePrefix: '',
      random: dice.share,
      locks: this.locks,
      holder: this.name,
    }
    try {
      await withEviction(
        db,
        () => evict(db),
        () => drain(context, pushProduct),
      )
    } finally {
      db.close()
      this.kill()
    }
  }
}
