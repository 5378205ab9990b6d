import { Dexie } from 'dexie'
import { Refused, Unreachable } from '#contract/errors.ts'
import { Refusal } from '#domain/errors.ts'
import { lastly } from '#store/database/group-commit.ts'
import type { Entry } from '#store/deliveries/operations.ts'
import { outboxTables, unsentKeys } from '#store/outbox/enqueue.ts'
import { isUnsent } from '#store/outbox/entry.ts'
import type { Session } from '#store/rows.ts'
import { accountsOf, asItWas, asStored, isLent, type Leased, lent } from '../lease.ts'
import { papersFor } from '../papers.ts'
import type { Tools } from '../platform/context.ts'
import { type Outcome, settle } from '../settle.ts'
import { put, ready, type Writing, write } from '../writing.ts'
import { isDue } from './backoff.ts'
import { byUrgency, lanesAtOnce, Queue } from './lanes.ts'
import { sendEntry } from './requests.ts'

/** Entries leased beyond those that fly, so that no lane waits for the disk where answers are quick. */
const mostAhead = 48
/** After so many tries in a row that nobody answered, there is no network worth the name. */
const giveUpAfter = 3
export type Drained = {
  /** Lists the answers made stale. */
  stale: Set<string>
  /** Deliveries whose entries were refused: what the server has instead is worth asking. */
  refused: Set<string>
  /** When the next waiting entry may be tried, milliseconds since 1970; nothing waits if missing. */
  nextAt?: number
  /** Whether anybody answered; nothing when nobody was asked. */
  reached?: boolean
  bytes: number
}

/**
 * Sends what may be sent until nothing may. One drain runs at a time across tabs and the worker
 * (the lock); the lease is the second guard and the server's request key the third.
 */
export async function drain(tools: Tools): Promise<Drained | undefined> {
  let drained: Drained | undefined
  await tools.locks.run(`soma-send:${tools.db.name}`, async () => {
    drained = await new Push(tools).run()
  })
  return drained
}

/**
 * Keeps one drain's state. Entries are leased and outcomes written in turns, a transaction each;
 * meanwhile what is leased flies, so a turn takes in whatever has come back since the one before.
 */
class Push {
  private readonly queue = new Queue()
  private readonly urls = new Map<string, string>()
  private ready: Leased[] = []
  private flying = 0
  private outcomes: Outcome[] = []
  private landed = () => {}
  private lastSeq = 0
  private silent = 0
  private expired = false
  private readonly drained: Drained = { stale: new Set(), refused: new Set(), bytes: 0 }
  private readonly tools: Tools

  constructor(tools: Tools) {
    this.tools = tools
  }

  async run(): Promise<Drained> {
    for (;;) {
      this.ready.push(...(await this.turn()))
      this.ready.sort((a, b) => byUrgency(a.entry, b.entry))
      this.letFly()
      if (this.queue.isIdle) break
      if (this.outcomes.length === 0 && this.flying > 0)
        await new Promise<void>((resolve) => {
          this.landed = resolve
        })
    }
    const now = this.tools.clock.now()
    const freeFrom = (entry: Entry) =>
      isLent(entry, this.tools) ? (entry.lease?.until ?? now) : now
    this.drained.nextAt = this.queue.earliest(now, freeFrom)
    return this.drained
  }

  /** Nobody answers, or the token is dead: what has not left stays. */
  private get isGrounded(): boolean {
    return this.silent >= giveUpAfter || this.expired
  }

  private letFly() {
    while (!this.isGrounded && this.flying < lanesAtOnce) {
      const next = this.ready.shift()
      if (!next) return
      this.flying++
      void this.attempt(next).then((outcome) => {
        this.flying--
        this.outcomes.push(outcome)
        this.note(outcome)
        this.letFly()
        this.landed()
      })
    }
  }

  private async attempt({ entry, papers }: Leased): Promise<Outcome> {
    try {
      return { entry, told: await sendEntry(this.tools, entry, papers) }
    } catch (error) {
      return { entry, error }
    }
  }

  private note(outcome: Outcome) {
    const error = 'error' in outcome ? outcome.error : undefined
    const unanswered = error instanceof Unreachable && error.status === undefined
    this.silent = unanswered ? this.silent + 1 : 0
    this.drained.reached = !unanswered
    if ('told' in outcome) {
      const { stale, bytes, url } = outcome.told
      for (const list of stale) this.drained.stale.add(list)
      this.drained.bytes += bytes
      if (url) for (const photo of outcome.entry.photos) this.urls.set(photo, url)
    } else if (error instanceof Refusal) this.drained.refused.add(outcome.entry.lane)
    if (error instanceof Refused && error.status === 401) this.expired = true
  }

  /** One transaction: writes what came back, reads what is new, leases what leaves next. */
  private async turn(): Promise<Leased[]> {
    const { db } = this.tools
    const outcomes = this.outcomes.splice(0)
    const grounded = this.isGrounded ? this.ready.splice(0) : []
    const tables = [...outboxTables(db), db.pulls]
    const leased = await db.transaction('rw', tables, async (transaction) => {
      const back = [...outcomes, ...grounded].map(({ entry }) => entry)
      const [stored, before, added] = await Dexie.Promise.all([
        asStored(db, back),
        db.sessions.get('current'),
        this.lastSeq > 0 ? db.outbox.where(':id').above(this.lastSeq).toArray() : undefined,
      ])
      const writing = await settle(this.tools, outcomes, stored)
      for (const [at, each] of grounded.entries())
        if (stored[outcomes.length + at]?.state === 'sending') put(writing, asItWas(each))
      const troubled = outcomes.some(changedOthers)
      // A dead token ends the session: who may be sent for is asked again.
      const session = troubled ? await db.sessions.get('current') : before
      const accounts = accountsOf(session)
      for (const entry of back) this.queue.giveBack(entry)
      if (!added || troubled || grounded.length > 0) await this.reload(accounts, writing)
      else this.takeIn(outcomes, added, accounts)
      const leased = await this.lease(outcomes.length, accounts, session, writing)
      await lastly(transaction, await ready(db, writing))
      return leased
    })
    this.expired = false
    return leased
  }

  private async reload(accounts: string[], writing: Writing): Promise<void> {
    const { db } = this.tools
    await write(db, writing)
    const keys = accounts.flatMap(unsentKeys)
    const entries = await db.outbox.where('[account+state]').anyOf(keys).sortBy('seq')
    this.queue.clear()
    this.queue.add(entries)
    this.lastSeq = (await db.outbox.orderBy(':id').last())?.seq ?? 0
  }

  private takeIn(outcomes: Outcome[], added: Entry[], accounts: string[]) {
    for (const { entry } of outcomes) this.queue.drop(entry)
    this.queue.add(added.filter((entry) => isUnsent(entry) && accounts.includes(entry.account)))
    this.lastSeq = added.at(-1)?.seq ?? this.lastSeq
  }

  /**
   * Picks the heads that may leave now and marks them, so that nobody else sends them: for every
   * free place one, and as many again as came back since the last turn.
   */
  private async lease(
    ahead: number,
    accounts: string[],
    session: Session | undefined,
    writing: Writing,
  ): Promise<Leased[]> {
    if (this.silent >= giveUpAfter) return []
    const { tools, queue } = this
    const now = tools.clock.now()
    const isReady = (entry: Entry) =>
      accounts.includes(entry.account) && isDue(entry, now) && !isLent(entry, tools)
    const chosen = queue.heads(Math.min(ahead, mostAhead), isReady)
    if (chosen.length === 0) return []
    const stored = await asStored(tools.db, chosen)
    const current = stored.filter((entry): entry is Entry => entry !== undefined && isUnsent(entry))
    // Taken back by the person, here or in another tab, since the queue was read.
    if (current.length < chosen.length) this.lastSeq = 0
    const entries = current.map((entry) => lent(entry, tools))
    for (const entry of entries) queue.take(entry)
    writing.entries.push(...entries)
    // To the eye, one that waits and one on its way are the same: `markOf`.
    writing.shown.push(...entries.filter((_, at) => current[at]?.state !== 'waiting'))
    const papers = await papersFor(tools.db, entries, session, this.urls)
    return papers.flatMap((each, at): Leased[] => {
      const [entry, before] = [entries[at], current[at]]
      return entry && before ? [{ entry, was: before, papers: each }] : []
    })
  }
}

/** A refusal takes others with it, and a new ID moves them to another lane. */
const changedOthers = (outcome: Outcome) =>
  'error' in outcome ||
  (outcome.told.delivery !== undefined && outcome.told.delivery.ID !== outcome.entry.lane)
