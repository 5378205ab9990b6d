import { v7 } from 'uuid'
import type { User } from '#domain/user.ts'
import { signIn } from '#store/account/sign-in.ts'
import type { Entry } from '#store/deliveries/operations.ts'
import { isUnsent } from '#store/outbox/entry.ts'
import type { Session } from '#store/rows.ts'
import { SomaDb } from '#store/soma-db.ts'
import type { Locks } from '#sync/platform/context.ts'
import { realClock } from '#sync/platform/context.ts'
import { localStorageSession } from '#sync/session/local-storage.ts'
import { type Blame, Witness } from '../oracles/outbox.ts'
import { createDice } from '../scenario/random.ts'
import type { Home } from '../scenario/seed-data.ts'
import type { Time } from './clock.ts'
import { createRoad, patienceAsked, type Road, type Trip } from './network.ts'
import { type Life, Tab, Worker } from './tab.ts'

/** What an admin's screens watch. */
export const overseen = ['adminDrivers', 'adminDisputes', 'adminDeliveries']

/** Whose a token is, as the server gave it out: a person's ID, or the ID of a guest's delivery. */
export type Tokens = Map<string, string>

/** One device: a database, a local storage and Web Locks, shared by all tabs and the worker. */
export class Phone {
  readonly name: string
  readonly dbName: string
  readonly time: Time
  readonly road: Road
  readonly witness: Witness
  readonly dice: ReturnType<typeof createDice>
  /** How wrong its clock is, in milliseconds. */
  skew = 0
  /** So many writes from now on find no room. */
  writesWithoutRoom = 0
  /** Older phones have none: there only the lease keeps two tabs from sending one entry. */
  hasLocks = true
  /** Whether locks, or what stands in for them, do what they are for. */
  keepsOut = true
  /** Whether its server pushes news. */
  readonly hearsNews: boolean
  /** Whoever has it looks at an admin's lists. */
  overseen = false
  tabs: Tab[] = []
  private readonly lives = new Set<Life>()
  private readonly storage = new Map<string, string>()
  private readonly held = new Map<string, Life>()
  /** Every request that ever left. */
  readonly passed: Trip[] = []
  private readonly flying = new Map<Trip, Life>()
  /** Who hears a stream, or has asked for one. */
  private readonly listening = new Map<Trip, Life>()
  /** Until when the server asked to leave a key alone, in the world's time. */
  private readonly notBefore = new Map<string, number>()
  private readonly tokens: Tokens
  readonly blame: Blame
  private born = 0
  private watcher: SomaDb | undefined

  constructor(
    name: string,
    seed: number,
    time: Time,
    home: Home,
    tokens: Tokens,
    blame: Blame,
    hearsNews: boolean,
  ) {
    this.name = name
    this.hearsNews = hearsNews
    this.dbName = `phone of ${name}`
    this.time = time
    this.tokens = tokens
    this.blame = (rule, what) => blame(rule, `${name}: ${what}`)
    this.road = createRoad(time, home, hearsNews)
    this.witness = new Witness(this.blame)
    this.dice = createDice(seed)
  }

  /** Somebody has logged in on it. */
  async belongTo(user: User, token: string): Promise<void> {
    this.tokens.set(token, user.ID)
    localStorageSession(this.shelf())({ token, user })
    this.witness.isAskedFor(user.ID)
    await this.time.during(() => {
      const place = { db: this.eye(), cachePrefix: '', clock: { ...realClock, now: this.time.now } }
      return signIn(place, user, token)
    })
  }

  newId = () => v7({ msecs: this.time.now(), random: this.dice.bytes(16) })

  openTab(): Tab {
    const tab = new Tab(this, `tab ${++this.born}`)
    this.lives.add(tab)
    this.tabs.push(tab)
    if (this.overseen) for (const kind of overseen) tab.soma.engine.watch({ kind })
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
    this.lives.add(worker)
    void worker.run().catch(() => {})
    return worker
  }

  died(life: Life): void {
    this.lives.delete(life)
    this.tabs = this.tabs.filter((tab) => tab !== life)
    for (const [name, holder] of this.held) if (holder === life) this.held.delete(name)
    for (const trips of [this.flying, this.listening])
      for (const [trip, traveller] of trips) if (traveller === life) trips.delete(trip)
  }

  isFull(): boolean {
    if (this.writesWithoutRoom <= 0) return false
    this.writesWithoutRoom--
    return true
  }

  locksOf(life: Life): Locks {
    return {
      exclusive: this.hasLocks || !this.keepsOut,
      run: async (name, work) => {
        const taken = this.hasLocks && this.keepsOut && this.held.has(name)
        if (taken || life.isDead()) return false
        this.held.set(name, life)
        try {
          await work()
        } finally {
          if (this.held.get(name) === life) this.held.delete(name)
        }
        return true
      },
    }
  }

  storageOf = (life: Life) => this.shelf(life.isDead)

  private shelf(isDead = () => false) {
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

  transportOf(life: Life) {
    const { name, isDead } = life
    return this.road.transportOf(
      { name, address: this.name, isDead },
      {
        leaves: (trip) => this.leaves(trip, life),
        answered: (trip, status, body) => this.answered(trip, status, body),
        heard: ({ key }, status) => key && this.witness.heard(key, status),
        over: (trip) => {
          this.flying.delete(trip)
          this.listening.delete(trip)
        },
        hangs: () => this.blame('S23', `${name} still listens to a dead stream`),
      },
    )
  }

  private leaves(trip: Trip, life: Life) {
    this.passed.push(trip)
    if (trip.path === '/events') this.asksForNews(trip, life)
    if (trip.key === undefined) return
    for (const [{ key }, other] of this.flying)
      if (other !== life && (this.hasLocks || key === trip.key))
        this.blame('S17', `${life.name} sends while ${other.name} does`)
    this.flying.set(trip, life)
    const entry = this.witness.leaves(trip.key, this.hasLocks)
    if (!entry) return
    if (!isUnsent(entry)) this.blame('S7', `${entry.op} was sent again, ${entry.state}`)
    // By a clock that jumped nobody can be patient; and the person may say that it be tried at once.
    if (
      this.skew === 0 &&
      entry.held !== false &&
      this.time.now() < (this.notBefore.get(trip.key) ?? 0)
    )
      this.blame('S13', `${entry.op} was sent again before the server allowed it`)
    this.checkToken(entry, trip.token)
  }

  private asksForNews(trip: Trip, life: Life) {
    for (const other of this.listening.values())
      if (other !== life && this.hasLocks)
        this.blame('S22', `${life.name} asks for a stream while ${other.name} has one`)
    this.listening.set(trip, life)
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
      this.blame('S8', `${entry.op} of ${entry.account} was sent for ${owner ?? 'nobody'}`)
  }

  private answered({ path, key }: Trip, status: number, body: string) {
    if (key && (status === 429 || status === 503) && body === '')
      this.notBefore.set(key, this.time.now() + patienceAsked * 1000)
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
    if (!this.witness.find(id)) this.blame('S2', `${id} was promised and is not there`)
  }

  /** The database as somebody sees it who belongs to none of the tabs. */
  eye(): SomaDb {
    this.watcher ??= new SomaDb(this.dbName)
    return this.watcher
  }

  session = async (): Promise<Session | undefined> => this.eye().sessions.get('current')

  killAll(): void {
    this.watcher?.close()
    for (const life of [...this.lives]) life.kill()
  }
}
