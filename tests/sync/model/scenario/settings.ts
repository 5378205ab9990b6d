import { type CallInput, call } from '#contract/call.ts'
import type { Op } from '#contract/endpoints.ts'
import { Unreachable } from '#contract/errors.ts'
import { Refusal } from '#domain/errors.ts'
import type { StoredDelivery } from '#server/ports/repo.ts'
import type { Soma } from '#sync/open.ts'
import { createTime, type Time } from '../devices/clock.ts'
import { Phone, type Tokens } from '../devices/phone.ts'
import type { Far } from './other-device.ts'
import { createDice, type Dice } from './random.ts'
import { base, type Home, type Open, openHome, type Role } from './seed-data.ts'

export type Fault = { rule: string; what: string }

/** A town with its server, a few phones, roads between them, and everything they have done wrong. */
export class World {
  readonly time: Time
  readonly dice: Dice
  readonly faults: Fault[] = []
  phones: Phone[] = []
  private made = 0
  /** Who hears of promises nobody caught, outside of this world. */
  private others: NodeJS.UnhandledRejectionListener[] = []
  private readonly tokens: Tokens = new Map()
  private town: Home | undefined

  private readonly sabotage: Sabotage
  private readonly customs: Customs

  constructor(seed: number, customs: Customs = {}, sabotage: Sabotage = {}) {
    this.customs = customs
    this.sabotage = sabotage
    this.dice = createDice(seed)
    this.time = createTime(this.dice)
  }

  get home(): Home {
    if (!this.town) throw new Error('The world has not begun')
    return this.town
  }

  /** A server and the people it knows. */
  async found(open: Open): Promise<void> {
    this.time.install(this.customs.news === true)
    this.others = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection')
    process.on('unhandledRejection', this.excuse)
    const home = await openHome(open, this.time, this.dice, this.customs.news === true)
    const { request = (asked) => asked, response = async (_, given) => given } = this.sabotage
    this.town = {
      ...home,
      answer: async (asked, address) => {
        const given = await home.answer(request(this.asNamed(asked)), address)
        return given && response(asked, given)
      },
    }
  }

  /** Whoever is named has a phone of their own, on which they had logged in before; `a guest` on none. */
  async handOut(owners: readonly Owner[]): Promise<void> {
    for (const [at, owner] of owners.entries()) {
      const phone = new Phone(
        `${owner} ${at}`,
        this.number(),
        this.time,
        this.home,
        this.tokens,
        this.blame,
        this.customs.news === true,
      )
      phone.hasLocks = !this.customs.withoutLocks
      if (this.sabotage.openLocks) phone.keepsOut = false
      phone.overseen = owner === 'admin'
      this.phones.push(phone)
      if (owner !== 'a guest')
        await phone.belongTo(this.home.residents[owner].user, await this.home.logIn(owner))
      phone.openTab()
      await this.settle()
    }
  }

  async end(): Promise<void> {
    for (const phone of this.phones) phone.killAll()
    await this.time.rest()
    await this.town?.close()
    this.time.restore()
    process.off('unhandledRejection', this.excuse)
    for (const other of this.others) process.on('unhandledRejection', other)
  }

  blame = (rule: string, what: string): void => void this.faults.push({ rule, what })

  number = (): number => Math.floor(this.dice.share() * 2 ** 32)
  /** A name nothing else in this world has. */
  name = (): string => `Box ${++this.made}`

  phone(at: number): Phone {
    const phone = this.phones[at % this.phones.length]
    if (!phone) throw new Error('A world without phones')
    return phone
  }

  /** What the server calls the delivery that a phone calls so. */
  idAtServer = (id: string): string =>
    this.customs.ownIds ? id.slice(0, 24) + [...id.slice(24)].reverse().join('') : id

  /** Our server takes the request's key for the ID: with another key it gives another. */
  private asNamed(request: Request): Request {
    const key = request.headers.get('idempotency-key')
    const creates = request.method === 'POST' && /\/(sender|guest)\/deliveries$/.test(request.url)
    if (key && creates) request.headers.set('idempotency-key', this.idAtServer(key))
    return request
  }

  /** Until nothing is on its way; no time passes. */
  async settle(): Promise<void> {
    while (await this.time.arrive());
  }

  /** Nobody looks for longer than half a minute; what waits goes on all the same. */
  async pass(ms: number): Promise<void> {
    const tabs = () => this.phones.flatMap((phone) => phone.tabs)
    if (ms > 30_000) for (const tab of tabs()) tab.visible = false
    await this.time.pass(ms)
    if (ms > 30_000)
      for (const phone of this.phones) {
        const tab = phone.tabs.at(-1)
        if (tab) tab.visible = true
      }
  }

  /** So many things that are on their way arrive. */
  async pace(steps: number): Promise<void> {
    await this.time.rest()
    for (let at = 0; at < steps; at++) if (!(await this.time.arrive())) return
  }

  /** What a person does with a phone: it may be refused, or cut short, but nothing else. */
  async does(work: () => Promise<unknown>): Promise<void> {
    await this.time.done(Promise.resolve().then(work).catch(this.excuse))
  }

  excuse = (error: unknown): void => {
    if (error instanceof Refusal || error instanceof Unreachable) return
    const { name, inner } = error as { name?: string; inner?: { name?: string } }
    if (excused.test(name ?? '') || excused.test(inner?.name ?? '')) return
    this.blame('crash', error instanceof Error ? (error.stack ?? error.message) : String(error))
  }

  login(soma: Soma, who: Role): Promise<unknown> {
    const { email, password } = this.home.residents[who]
    return soma.session.login(email, password).catch(this.excuse)
  }

  /** Somebody's call from a machine that is none of our phones. */
  async elsewhere<O extends Op>(op: O, question: CallInput): Promise<void> {
    const transport = async (request: Request) => {
      const response = await this.home.answer(request, 'elsewhere')
      if (!response) throw new TypeError('Failed to fetch')
      return response
    }
    await call(transport, base, op, question).catch(this.excuse)
  }

  async deliveries(): Promise<StoredDelivery[]> {
    const page = { limit: 1_000 }
    const { rows } = await this.time.during(() =>
      this.home.repo.read(({ deliveries }) => deliveries.list({ of: 'everyone' }, page)),
    )
    return rows
  }

  /** The tokens a person has on phones die. */
  async endSessions(who: Role): Promise<void> {
    const id = this.home.residents[who].user.ID
    const theirs = [...this.tokens].filter(([, owner]) => owner === id).map(([token]) => token)
    await this.home.endSessions(theirs)
  }
}

/** How things are in one town, as long as it stands. What is not said is as it was when that was not known yet. */
export type Customs = {
  /** Phones' browsers have no Web Locks. */
  withoutLocks?: boolean
  /** The server pushes news. */
  news?: boolean
  /** The server hands out IDs of its own. */
  ownIds?: boolean
  /** Before anything happens, a delivery of Ama's is so far on its way with driver one. */
  begun?: Far
}

/** Protections that are switched off, to see that it shows. */
export type Sabotage = {
  /** What the server is given in place of what was sent. */
  request?: (request: Request) => Request
  /** What the phone is given in place of the answer. */
  response?: (request: Request, response: Response) => Promise<Response>
  /** Locks that keep nobody out, and are believed to. */
  openLocks?: true
}

export type Owner = Role | 'a guest'

/** What the browser says when there is no room, or when a tab or its database goes. */
const excused = /^(QuotaExceeded|Abort|DatabaseClosed|InvalidState|TransactionInactive)(Error)?$/
