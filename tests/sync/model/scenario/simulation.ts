import { type CallInput, call } from '#contract/calls/call.ts'
import type { Op } from '#contract/endpoints.ts'
import { Unreachable } from '#contract/wire-errors.ts'
import { Refusal } from '#domain/errors.ts'
import type { StoredDelivery } from '#server/ports/stores/delivery-stores.ts'
import type { Soma } from '#store/open.ts'
import { createSimulatedTime, type SimulatedTime } from '../devices/clock.ts'
import { Phone } from '../devices/phone.ts'
import type { Tokens } from '../oracles/watching/requests.ts'
import { withPhoneIds, withServerIds } from './own-ids.ts'
import { createRandom, type Random } from './random.ts'
import { base, type ModelServer, type Open, openModelServer, type Role } from './seed-data.ts'

export type Fault = { rule: string; what: string }

/** One simulation: a server, its phones, the networks between them, and the faults the oracles reported. */
export class Simulation {
  readonly time: SimulatedTime
  readonly random: Random
  readonly faults: Fault[] = []
  phones: Phone[] = []
  private namesUsed = 0
  /** The listeners for unhandled rejections that were there before this simulation. */
  private otherListeners: NodeJS.UnhandledRejectionListener[] = []
  private readonly tokens: Tokens = new Map()
  private modelServer: ModelServer | undefined

  private readonly sabotage: Sabotage
  private readonly settings: Settings

  constructor(seed: number, settings: Settings = {}, sabotage: Sabotage = {}) {
    this.settings = settings
    this.sabotage = sabotage
    this.random = createRandom(seed)
    this.time = createSimulatedTime(this.random)
  }

  get server(): ModelServer {
    if (!this.modelServer) throw new Error('The simulation has not begun')
    return this.modelServer
  }

  /** Starts the server with its users. */
  async startServer(open: Open): Promise<void> {
    this.time.install(this.settings.eventStream === true)
    this.otherListeners = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection')
    process.on('unhandledRejection', this.reportUnexpected)
    const server = await openModelServer(
      open,
      this.time,
      this.random,
      this.settings.eventStream === true,
    )
    const { request = (asked) => asked, response = async (_, given) => given } = this.sabotage
    this.modelServer = {
      ...server,
      answer: async (asked, address) => {
        // A backend that hands out its own IDs (S19) is none of ours, has no batch and withdraws nothing.
        if (this.settings.ownIds && /\/batch$|\/requests\//.test(asked.url))
          return Response.json({ error: 'Not found', reason: 'not-found' }, { status: 404 })
        const sent = await withServerIds(this.inSmallPages(asked), this.idAtServer)
        const given = await server.answer(request(sent.request), address)
        return given && response(asked, await withPhoneIds(sent.keys, given, this.idAtServer))
      },
    }
  }

  /** Creates a phone for each owner, logged in; that of `a guest` is not. */
  async createPhones(owners: readonly Owner[]): Promise<void> {
    for (const [at, owner] of owners.entries()) {
      const phone = new Phone(
        `${owner} ${at}`,
        this.randomNumber(),
        this.time,
        this.server,
        this.tokens,
        this.reportFault,
        this.settings.eventStream === true,
      )
      phone.hasLocks = !this.settings.withoutLocks
      if (this.sabotage.openLocks) phone.locksExclude = false
      phone.watchesAdminLists = owner === 'admin'
      this.phones.push(phone)
      if (owner !== 'a guest')
        await phone.logInBeforehand(
          this.server.residents[owner].user,
          await this.server.logIn(owner),
        )
      phone.openTab()
      await this.settle()
    }
  }

  async close(): Promise<void> {
    for (const phone of this.phones) phone.killAll()
    await this.time.rest()
    await this.modelServer?.close()
    this.time.restore()
    process.off('unhandledRejection', this.reportUnexpected)
    for (const other of this.otherListeners) process.on('unhandledRejection', other)
  }

  reportFault = (rule: string, what: string): void => void this.faults.push({ rule, what })

  randomNumber = (): number => Math.floor(this.random.fraction() * 2 ** 32)
  /** A name that is unique in this simulation. */
  uniqueName = (): string => `Box ${++this.namesUsed}`

  phone(at: number): Phone {
    const phone = this.phones[at % this.phones.length]
    if (!phone) throw new Error('A simulation without phones')
    return phone
  }

  /** Whether the backend can be asked what became of a request. */
  get knowsRequests(): boolean {
    return this.settings.ownIds !== true
  }

  /** The server's ID of a delivery, by the phone's ID. */
  idAtServer = (id: string): string =>
    this.settings.ownIds ? id.slice(0, 24) + [...id.slice(24)].reverse().join('') : id

  /** Every list of deliveries is given page by page, whatever limit was asked for. */
  private inSmallPages(request: Request): Request {
    const url = new URL(request.url)
    const isList = request.method === 'GET' && url.pathname.endsWith('deliveries')
    if (this.rowsOfPage === undefined || !isList) return request
    url.searchParams.set('limit', String(this.rowsOfPage))
    return new Request(url, { headers: request.headers })
  }

  /** Rows that the server gives at once of a list of deliveries; nothing: all of them. */
  get rowsOfPage(): number | undefined {
    return this.settings.smallPages ? 2 : undefined
  }

  /** Runs until no message is pending; no time passes. */
  async settle(): Promise<void> {
    while (await this.time.arrive());
  }

  /** Phones are hidden after half a minute; what waits is still sent. */
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

  /** Lets n pending messages arrive. */
  async pace(steps: number): Promise<void> {
    await this.time.rest()
    for (let at = 0; at < steps; at++) if (!(await this.time.arrive())) return
  }

  /** Runs a person's action: it may be refused or interrupted; any other error is a fault. */
  async perform(work: () => Promise<unknown>): Promise<void> {
    await this.time.done(Promise.resolve().then(work).catch(this.reportUnexpected))
  }

  reportUnexpected = (error: unknown): void => {
    if (error instanceof Refusal || error instanceof Unreachable) return
    const { name, inner } = error as { name?: string; inner?: { name?: string } }
    if (expectedErrors.test(name ?? '') || expectedErrors.test(inner?.name ?? '')) return
    this.reportFault(
      'crash',
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    )
  }

  login(soma: Soma, who: Role): Promise<unknown> {
    const { email, password } = this.server.residents[who]
    return soma.session.login(email, password).catch(this.reportUnexpected)
  }

  /** A call from a device outside the simulation. */
  async callElsewhere<O extends Op>(op: O, question: CallInput): Promise<void> {
    const transport = async (request: Request) => {
      const response = await this.server.answer(request, 'elsewhere')
      if (!response) throw new TypeError('Failed to fetch')
      return response
    }
    await call(transport, base, op, question).catch(this.reportUnexpected)
  }

  async deliveries(): Promise<StoredDelivery[]> {
    const page = { limit: 1_000 }
    const { rows } = await this.time.whileBusy(() =>
      this.server.repo.read(({ deliveries }) => deliveries.list({ of: 'everyone' }, page)),
    )
    return rows
  }

  /** Ends the sessions a person has on phones. */
  async endSessions(who: Role): Promise<void> {
    const id = this.server.residents[who].user.ID
    const theirs = [...this.tokens].filter(([, owner]) => owner === id).map(([token]) => token)
    await this.server.endSessions(theirs)
  }
}

/** The states to which other users may take a delivery. */
export type Milestone = 'Accepted' | 'Picked Up' | 'Delivered'

/** What stays the same during one scenario. A missing setting is off, so that old regressions still run. */
export type Settings = {
  /** Phones' browsers have no Web Locks. */
  withoutLocks?: boolean
  /** The server has an event stream. */
  eventStream?: boolean
  /** At the end one list fails, by its number, and the others are looked at. */
  listFails?: number
  /** The server gives its lists in pages of two rows. */
  smallPages?: boolean
  /** The server chooses its own IDs. */
  ownIds?: boolean
  /** Before the first step a delivery of Ama's is at this milestone with driver one. */
  startsAt?: Milestone
}

/** Changes that remove a protection, so that an oracle must report it. */
export type Sabotage = {
  /** Replaces a request before the server gets it. */
  request?: (request: Request) => Request
  /** Replaces a response before the phone gets it. */
  response?: (request: Request, response: Response) => Promise<Response>
  /** Locks that exclude nobody although they claim to. */
  openLocks?: true
}

export type Owner = Role | 'a guest'

/** Errors of the browser for a full disk, and for a tab or database that is closed. */
const expectedErrors =
  /^(QuotaExceeded|Abort|DatabaseClosed|InvalidState|TransactionInactive)(Error)?$/
