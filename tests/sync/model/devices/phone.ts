import { Dexie } from 'dexie'
import { v7 } from 'uuid'
import type { User } from '#domain/users/user.ts'
import { signIn } from '#store/account/sign-in.ts'
import { localStorageSession } from '#store/login/local-storage.ts'
import type { Session } from '#store/rows.ts'
import { SomaDb } from '#store/soma-db.ts'
import type { Locks } from '#sync/platform/context.ts'
import { realClock } from '#sync/platform/context.ts'
import { OutboxOracle } from '../oracles/watching/outbox.ts'
import type { Moment } from '../oracles/watching/parking.ts'
import type { ReportFault } from '../oracles/watching/report-fault.ts'
import { RequestOracle, type Tokens } from '../oracles/watching/requests.ts'
import { createRandom } from '../scenario/random.ts'
import type { ModelServer } from '../scenario/seed-data.ts'
import type { SimulatedTime } from './clock.ts'
import type { Change } from './database-guard.ts'
import { createNetwork, type Network } from './network/network.ts'
import { type Run, Tab, Worker } from './tab.ts'

/** What an admin's screens watch. */
const adminLists = ['adminDrivers', 'adminDisputes', 'adminDeliveries']

/** One device: a database, a local storage and Web Locks, shared by all tabs and the worker. */
export class Phone {
  readonly name: string
  readonly dbName: string
  readonly time: SimulatedTime
  readonly network: Network
  readonly requestOracle: RequestOracle
  /** A new one when the browser has thrown the outbox away. */
  outboxOracle: OutboxOracle
  readonly random: ReturnType<typeof createRandom>
  /** How wrong its clock is, in milliseconds. */
  skew = 0
  /** The browser says that there is no network, whether or not there is one. */
  saysOffline = false
  /** Photos that were taken and not used. */
  readonly abandoned = new Set<string>()
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
  private readonly tokens: Tokens
  readonly reportFault: ReportFault
  private born = 0
  /** Close an admin's screens. */
  private closers: (() => void)[] = []
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
    this.requestOracle = new RequestOracle(this, tokens, this.reportFault)
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
    if (this.watchesAdminLists)
      for (const kind of adminLists) this.closers.push(tab.soma.engine.watch({ kind }))
    // One whose database cannot be opened now stays as it is, as a page would.
    void tab.soma.start().catch(() => {})
    return tab
  }

  /** The one the person looks at; opened when there is none. */
  tab(): Tab {
    return this.tabs.at(-1) ?? this.openTab()
  }

  onCommitted(changes: readonly Change[], moment: Moment): void {
    this.outboxOracle.onChanges(changes, moment)
    for (const { table, values } of changes)
      for (const session of table === 'sessions' ? (values as Session[]) : [])
        if (session.user.role !== 'admin') this.closeAdminScreens()
  }

  /** Somebody else has logged in: an admin's screens are closed, and a page that is opened shows none. */
  private closeAdminScreens(): void {
    this.watchesAdminLists = false
    for (const close of this.closers.splice(0)) close()
  }

  /** `path`: of the screen that a push message has named. */
  wakeWorker(path?: string): Worker {
    const worker = new Worker(this, `worker ${++this.born}`)
    this.runs.add(worker)
    void worker.run(path).catch(() => {})
    return worker
  }

  onRunEnded(run: Run): void {
    this.runs.delete(run)
    this.tabs = this.tabs.filter((tab) => tab !== run)
    for (const [name, holder] of this.held) if (holder === run) this.held.delete(name)
    this.requestOracle.onRunEnded(run)
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
    const { name, isDead, isFrozen, thawed } = run
    const client = { name, address: this.name, isDead, isFrozen, thawed }
    return this.network.transportOf(client, this.requestOracle.observerOf(run))
  }

  awaitsAnswer = (run: Run): boolean => this.requestOracle.awaitsAnswer(run)

  /** Whose the streams are that this phone hears, by ID; `undefined` for a token that nobody has. */
  listeners = () => this.requestOracle.listeners()

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

  /** The browser lets every frozen page run again. */
  thaw(): void {
    for (const run of this.runs) run.thaw()
  }

  /**
   * The browser throws away what the app has stored. `everything`: of its local storage too, as browsers
   * do that evict a whole origin; then nobody is logged in any more.
   */
  async evict(everything: boolean): Promise<void> {
    this.killAll()
    this.watcher = undefined
    await this.time.rest()
    await this.time.whileBusy(async () => Dexie.delete(this.dbName))
    if (everything) this.storage.clear()
    const { sent } = this.outboxOracle
    const account = everything ? undefined : this.outboxOracle.loggedInAs
    this.outboxOracle = new OutboxOracle(this.reportFault)
    for (const key of sent) this.outboxOracle.sent.add(key)
    if (account) this.outboxOracle.onLogin(account)
    this.openTab()
  }

  killAll(): void {
    this.watcher?.close()
    for (const run of [...this.runs]) run.kill()
  }
}
