import { v7 } from 'uuid'
import type { User } from '#domain/users/user.ts'
import { signIn } from '#store/account/sign-in.ts'
import type { Entry } from '#store/deliveries/operations.ts'
import { isUnsent } from '#store/outbox/entry.ts'
import type { Session } from '#store/rows.ts'
import { SomaDb } from '#store/soma-db.ts'
import type { Locks } from '#sync/platform/context.ts'
import { realClock } from '#sync/platform/context.ts'
import { localStorageSession } from '#sync/session/local-storage.ts'
import { OutboxOracle, type ReportFault } from '../oracles/outbox.ts'
import { createRandom } from '../scenario/random.ts'
import type { ModelServer } from '../scenario/seed-data.ts'
import type { SimulatedTime } from './clock.ts'
import { createNetwork, type Network, retryAfterSeconds, type SentRequest } from './network.ts'
import { type Run, Tab, Worker } from './tab.ts'

/** What an admin's screens watch. */
const adminLists = ['adminDrivers', 'adminDisputes', 'adminDeliveries']

/** Whose a token is, as the server gave it out: a person's ID, or the ID of a guest's delivery. */
export type Tokens = Map<string, string>

/** One device: a database, a local storage and Web Locks, shared by all tabs and the worker. */
export class Phone {
  readonly name: string
  readonly dbName: string
  readonly time: SimulatedTime
  readonly network: Network
  readonly outboxOracle: OutboxOracle
  readonly random: ReturnType<typeof createRandom>
  /** How wrong its clock is, in milliseconds. */
  skew = 0
  /** So many writes from now on find no room. */
  writesWithoutRoom = 0
  /** Older phones have none: there only the lease keeps two tabs from sending one entry. */
  hasLocks = true
  /** Whether locks, or what stands in for them, do what they are for. */
  locksExclude = true
  /** Whether its server has an event stream. */
  readonly hasEventStream: boolean
  /** Whoever has it looks at an admin's lists. */
  watchesAdminLists = false
  tabs: Tab[] = []
  private readonly runs = new Set<Run>()
  private readonly storage = new Map<string, string>()
  private readonly held = new Map<string, Run>()
  /** Every request that ever left. */
  readonly passed: SentRequest[] = []
  private readonly inFlight = new Map<SentRequest, Run>()
  /** Who hears a stream, or has asked for one. */
  private readonly listening = new Map<SentRequest, Run>()
  /** Until when the server asked to leave a key alone, in the world's time. */
  private readonly notBefore = new Map<string, number>()
  private readonly tokens: Tokens
  readonly reportFault: ReportFault
  private born = 0
  private watcher: SomaDb | undefined

  constructor(
    name: string,
    seed: number,
    time: SimulatedTime,
    server: ModelServer,
    tokens: Tokens,
    blame: ReportFault,
    hearsNews: boolean,
  ) {
    this.name = name
    this.hasEventStream = hearsNews
    this.dbName = `phone of ${name}`
    this.time = time
    this.tokens = tokens
    this.reportFault = (rule, what) => blame(rule, `${name}: ${what}`)
    this.network = createNetwork(time, server, hearsNews)
    this.outboxOracle = new OutboxOracle(this.reportFault)
    this.random = createRandom(seed)
  }

  /** Somebody has logged in on it. */
  async logInBeforehand(user: User, token: string): Promise<void> {
    this.tokens.set(token, user.ID)
    localStorageSession(this.storageView())({ token, user })
    this.outboxOracle.onLogin(user.ID)
    await this.time.whileBusy(() => {
      const place = {
        db: this.observer(),
        cachePrefix: '',
        clock: { ...realClock, now: this.time.now },
      }
      return signIn(place, user, token)
    })
  }

  newId = () => v7({ msecs: this.time.now(), random: this.random.bytes(16) })

  openTab(): Tab {
    const tab = new Tab(this, `tab ${++this.born}`)
    this.runs.add(tab)
    this.tabs.push(tab)
    if (this.watchesAdminLists) for (const kind of adminLists) tab.soma.engine.watch({ kind })
    // One whose database cannot be opened now stays as it is, as a page would.
    void tab.soma.start().catch(() => {})
    return tab
  }

  /** The one the person looks at; opened when there is none. */
  tab(): Tab {
    return this.tabs.at(-1) ?? this.openTab()
  }

  wakeWorker(): Worker {
    const worker = new Worker(this, `worker ${++this.born}`)
    this.runs.add(worker)
    void worker.run().catch(() => {})
    return worker
  }

  onRunEnded(run: Run): void {
    this.runs.delete(run)
    this.tabs = this.tabs.filter((tab) => tab !== run)
    for (const [name, holder] of this.held) if (holder === run) this.held.delete(name)
    for (const trips of [this.inFlight, this.listening])
      for (const [trip, traveller] of trips) if (traveller === run) trips.delete(trip)
  }

  isFull(): boolean {
    if (this.writesWithoutRoom <= 0) return false
    this.writesWithoutRoom--
    return true
  }

  locksOf(run: Run): Locks {
    return {
      exclusive: this.hasLocks || !this.locksExclude,
      run: async (name, work) => {
        const taken = this.hasLocks && this.locksExclude && this.held.has(name)
        if (taken || run.isDead()) return false
        this.held.set(name, run)
        try {
          await work()
        } finally {
          if (this.held.get(name) === run) this.held.delete(name)
        }
        return true
      },
    }
  }

  storageOf = (run: Run) => this.storageView(run.isDead)

  private storageView(isDead = () => false) {
    return {
      getItem: (key: string) => this.storage.get(key) ?? null,
      setItem: (key: string, value: string) => {
        if (!isDead()) this.storage.set(key, value)
      },
      removeItem: (key: string) => {
        if (!isDead()) this.storage.delete(key)
      },
    }
  }

  transportOf(run: Run) {
    const { name, isDead } = run
    return this.network.transportOf(
      { name, address: this.name, isDead },
      {
        leaves: (trip) => this.leaves(trip, run),
        answered: (trip, status, body) => this.answered(trip, status, body),
        heard: ({ key }, status) => key && this.outboxOracle.onAnswer(key, status),
        over: (trip) => {
          this.inFlight.delete(trip)
          this.listening.delete(trip)
        },
        hangs: () => this.reportFault('S23', `${name} still listens to a dead stream`),
      },
    )
  }

  private leaves(trip: SentRequest, run: Run) {
    this.passed.push(trip)
    if (trip.path === '/events') this.asksForNews(trip, run)
    if (trip.key === undefined) return
    for (const [{ key }, other] of this.inFlight)
      if (other !== run && (this.hasLocks || key === trip.key))
        this.reportFault('S17', `${run.name} sends while ${other.name} does`)
    this.inFlight.set(trip, run)
    const entry = this.outboxOracle.onRequest(trip.key, this.hasLocks)
    if (!entry) return
    if (!isUnsent(entry)) this.reportFault('S7', `${entry.op} was sent again, ${entry.state}`)
    // By a clock that jumped nobody can be patient; and the person may say that it be tried at once.
    if (
      this.skew === 0 &&
      entry.held !== false &&
      this.time.now() < (this.notBefore.get(trip.key) ?? 0)
    )
      this.reportFault('S13', `${entry.op} was sent again before the server allowed it`)
    this.checkToken(entry, trip.token)
  }

  private asksForNews(trip: SentRequest, run: Run) {
    for (const other of this.listening.values())
      if (other !== run && this.hasLocks)
        this.reportFault('S22', `${run.name} asks for a stream while ${other.name} has one`)
    this.listening.set(trip, run)
  }

  /** Whose the streams are that this phone hears, by ID; `undefined` for a token that nobody has. */
  listeners = (): (string | undefined)[] =>
    [...this.listening.keys()].map(({ token }) => this.tokens.get(token ?? ''))

  private checkToken(entry: Entry, token: string | undefined) {
    const owner = token === undefined ? undefined : this.tokens.get(token)
    const guest = entry.account === 'guest'
    const needsNone = entry.op === 'createGuestDelivery' || !('id' in entry.input)
    const right = !guest
      ? owner === entry.account
      : owner === undefined || (!needsNone && owner.startsWith('guest of '))
    if (!right)
      this.reportFault('S8', `${entry.op} of ${entry.account} was sent for ${owner ?? 'nobody'}`)
  }

  private answered({ path, key }: SentRequest, status: number, body: string) {
    if (key && (status === 429 || status === 503) && body === '')
      this.notBefore.set(key, this.time.now() + retryAfterSeconds * 1000)
    if (status === 200 && path === '/login') {
      const { user, token } = JSON.parse(body)
      this.tokens.set(token, user.ID)
    }
    if (status === 201 && path === '/guest/deliveries') {
      const { delivery, guestToken } = JSON.parse(body)
      if (guestToken) this.tokens.set(guestToken, `guest of ${delivery.ID}`)
    }
  }

  /** A command resolved and said so: what it queued is durable. */
  promised(id: string): void {
    if (!this.outboxOracle.find(id)) this.reportFault('S2', `${id} was promised and is not there`)
  }

  /** The database as somebody sees it who belongs to none of the tabs. */
  observer(): SomaDb {
    this.watcher ??= new SomaDb(this.dbName)
    return this.watcher
  }

  session = async (): Promise<Session | undefined> => this.observer().sessions.get('current')

  killAll(): void {
    this.watcher?.close()
    for (const run of [...this.runs]) run.kill()
  }
}
