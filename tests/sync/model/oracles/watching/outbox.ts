import { type Entry, operations } from '#store/entries/operations.ts'
import type { Session } from '#store/rows.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import type { EntryState } from '#sync/database/entry.ts'
import type { Change } from '../../devices/database-guard.ts'
import { meansToSend } from '../reference/states.ts'
import { type Moment, ParkingOracle } from './parking.ts'
import type { ReportFault } from './report-fault.ts'

/** The states that may follow each state of an entry. */
const allowedNext: Record<EntryState, readonly EntryState[]> = {
  waiting: ['waiting', 'sending', 'refused', 'cancelled'],
  sending: ['sending', 'waiting', 'retrying', 'parked', 'done', 'refused', 'cancelled'],
  retrying: ['retrying', 'waiting', 'sending', 'refused', 'cancelled'],
  parked: ['parked', 'waiting', 'sending', 'refused', 'cancelled'],
  refused: ['refused', 'cancelled'],
  // A server restored from a backup may have lost what it had acknowledged.
  done: ['done', 'refused'],
  cancelled: ['cancelled'],
}
/** What was to cancel a request that never was has nothing left to do (S56). */
const isNeedless = ({ state, op, isPart }: Entry): boolean =>
  state === 'done' && op === 'cancelDelivery' && isPart === 1

const day = 24 * 3_600_000
const kept = 3 * day

/** Watches every committed change of one phone's outbox and reports broken promises. */
export class OutboxOracle {
  /** The last version of each entry, collected ones included, in order of `seq`. */
  readonly entries = new Map<number, Entry>()
  /** Request keys that were ever sent. */
  readonly sent = new Set<string>()
  /** Entries cancelled as unsent although they were sent. */
  readonly thoughtUnsent = new Set<string>()
  /** The last response status of each key; an attempt without a response leaves none. */
  private readonly answers = new Map<string, number>()
  /** Who is logged in with a session that has not ended. */
  private loggedIn: string | undefined
  /** Whose rows this phone holds, whether their session has ended or not. */
  private account: string | undefined
  /** Entries discarded at a logout. */
  private readonly discarded = new Set<string>()
  /** Whose they are; what the logout itself asks the server to cancel is discarded with them. */
  private discardedFor: string | undefined
  private readonly seqs = new Map<string, number>()
  private readonly deleted = new Set<number>()
  /** When what can still be undone was made, by its ID. */
  readonly heldSince = new Map<string, Moment>()
  /** Tokens that the server, or something in its name, has refused. */
  private readonly deadTokens = new Set<string>()
  private readonly parking: ParkingOracle
  private readonly blame: ReportFault

  constructor(blame: ReportFault) {
    this.blame = blame
    this.parking = new ParkingOracle(blame)
  }

  find(id: string): Entry | undefined {
    return this.entries.get(this.seqs.get(id) ?? -1)
  }

  get loggedInAs(): string | undefined {
    return this.loggedIn
  }

  /** Entries the phone still holds. */
  stored(): Entry[] {
    return [...this.entries.values()].filter(({ seq }) => !this.deleted.has(seq))
  }

  /** Changes of one page or worker, and when they were made. */
  onChanges(changes: readonly Change[], moment: Moment): void {
    for (const { table, values } of changes)
      if (table === 'sessions') this.onSession(values.at(-1) as Session | undefined)
    for (const { table, type, values, keys } of changes) {
      if (table === 'sessions') continue
      if (table === 'photos') {
        if (type === 'delete') this.onPhotosDeleted(keys)
        continue
      }
      if (type === 'deleteRange') this.blame('S7', 'entries were deleted without being looked at')
      for (const seq of type === 'delete' ? keys : []) this.onEntryDeleted(Number(seq), moment.now)
      for (const value of values) this.onEntry(value as Entry, moment)
    }
  }

  private onEntry(entry: Entry, moment: Moment) {
    const before = this.entries.get(entry.seq)
    const say = (what: string) => this.blame('S7', `${entry.op} ${entry.id} ${what}`)
    if (!before) {
      if (this.seqs.has(entry.id)) say('was queued twice')
      const isOfLogout = entry.op === 'cancelDelivery' && entry.account === this.discardedFor
      if (isOfLogout) this.discarded.add(entry.id)
      if (entry.held) this.heldSince.set(entry.id, moment)
    } else if (before.id !== entry.id || before.account !== entry.account || before.op !== entry.op)
      say(`took the place of ${before.id}`)
    else if (!allowedNext[before.state].includes(entry.state) && !isNeedless(entry))
      say(`was ${before.state} and is ${entry.state} again`)
    if (before?.state === 'waiting' && entry.state === 'cancelled' && this.sent.has(entry.id))
      this.thoughtUnsent.add(entry.id)
    const reason: string | undefined = entry.error?.reason
    if (before?.state === 'done' && entry.state === 'refused' && reason !== 'lost')
      say(`was done and is refused for ${reason}`)
    if (entry.state === 'sending') this.checkParents(entry)
    this.parking.check(entry, before, moment)
    this.checkAnswered(entry, before)
    this.checkPaused(entry, before)
    this.entries.set(entry.seq, entry)
    this.seqs.set(entry.id, entry.seq)
  }

  private onSession(session: Session | undefined) {
    const hasEnded = session?.expired && this.loggedIn === session.account
    if (hasEnded && session.token && !this.deadTokens.has(session.token))
      this.blame('S14', `the session of ${session.account} was ended, and its token is good`)
    this.loggedIn = session?.expired ? undefined : session?.account
    this.account = session?.account
    if (this.loggedIn) this.discardedFor = undefined
  }

  /** The person logs out and discards their entries. */
  onDiscard(account: string): void {
    this.discardedFor = account
    for (const entry of this.stored()) if (entry.account === account) this.discarded.add(entry.id)
  }

  /** Somebody has logged in while no tab was open. */
  onLogin(account: string): void {
    this.loggedIn = account
    this.account = account
  }

  /** An answer left the server; `wait`: the seconds of `Retry-After`, `at`: the world's time. */
  onServerAnswer(key: string, status: number, wait: number, at: number): void {
    this.parking.onServerAnswer(key, status, wait, at)
  }

  onDeadToken(token: string): void {
    this.deadTokens.add(token)
  }

  onAnswer(key: string, status: number): void {
    this.answers.set(key, status)
  }

  /** S12: no entry ends without a response. Uploads have no key; a dependent entry ends with the other. */
  private checkAnswered({ op, id, state, error, withdrawal }: Entry, before: Entry | undefined) {
    if (before?.state !== 'sending' || meansToSend({ state })) return
    if (state === 'cancelled' && withdrawal !== 'asked') return
    const unsaid = error?.because !== undefined || error?.reason === 'photo-not-hosted'
    if (op !== 'uploadPhoto' && !unsaid && !this.answers.has(id))
      this.blame('S12', `${op} ${id} is ${state}, and nobody has answered`)
  }

  /** S14, for accounts: a guest has no login, and their entry is refused. */
  private checkPaused(entry: Entry, before: Entry | undefined) {
    const { op, id, state, account, attempts } = entry
    if (before?.state !== 'sending' || state === 'cancelled') return
    // A tab may lease an entry of a killed one, whose response it does not know.
    if (state === 'sending' && entry.lease?.holder !== before.lease?.holder) return
    if (account === guestAccount || this.answers.get(id) !== 401) return
    // The next try has an answer of its own, or none.
    this.answers.delete(id)
    const say = (what: string) => this.blame('S14', `${op} ${id} met a dead token and ${what}`)
    if (state !== 'waiting') say(`is ${state}`)
    if (attempts !== before.attempts) say('counts it as a try')
    if (this.loggedIn === account) say('nobody is asked to sign in')
  }

  private onEntryDeleted(seq: number, now: number) {
    const entry = this.entries.get(seq)
    if (!entry) return
    this.deleted.add(seq)
    const over = entry.state === 'done' || entry.state === 'cancelled'
    if (this.discarded.has(entry.id)) {
      if (entry.state === 'waiting' && this.sent.has(entry.id)) this.thoughtUnsent.add(entry.id)
      if (!over) this.entries.set(seq, { ...entry, state: 'cancelled', endedAt: now })
      return
    }
    const isStrangers = entry.account !== guestAccount && entry.account !== this.account
    if (over && isStrangers) return
    if (!over || (entry.endedAt ?? now) > now - kept)
      this.blame('S7', `${entry.op} ${entry.id} vanished, ${entry.state}`)
  }

  private onPhotosDeleted(ids: readonly unknown[]) {
    for (const entry of this.stored())
      if (
        meansToSend(entry) &&
        !this.discarded.has(entry.id) &&
        entry.photos.some((photo) => ids.includes(photo))
      )
        this.blame(
          'S11',
          `a photo of ${entry.op} ${entry.id} was dropped while it was ${entry.state}`,
        )
  }

  /**
   * A request with this key is sent; `alone`: no other sender has sent it and records its outcome;
   * `batch`: the keys before this one in the same batch.
   */
  onRequest(key: string, alone: boolean, batch: readonly string[]): Entry | undefined {
    this.sent.add(key)
    if (alone) this.answers.delete(key)
    const entry = this.find(key)
    if (!entry) {
      this.blame('S2', `a request left whose entry was never written (${key})`)
      return undefined
    }
    for (const other of this.entries.values()) {
      const before = other.account === entry.account && other.lane === entry.lane
      const isFirst = other.seq < entry.seq && meansToSend(other) && !this.deleted.has(other.seq)
      // Nothing but another one waits for what is sent aside (S72).
      const isPassed = isAside(other) && !isAside(entry)
      if (before && isFirst && !isPassed && !batch.includes(other.id))
        this.blame('S3', `${entry.op} left before ${other.op} of its lane (${other.state})`)
    }
    for (const parent of entry.after) {
      const state = this.find(parent)?.state
      if (state !== 'done' && !batch.includes(parent))
        this.blame('S4', `${entry.op} leaves before its parent is done (${state})`)
    }
    return entry
  }

  /** A parent that is not done may only leave in the same batch: with the same sender. */
  private checkParents({ op, after, lease }: Entry) {
    for (const id of after) {
      const parent = this.find(id)
      const state = parent?.state
      const isTogether = state === 'sending' && parent?.lease?.holder === lease?.holder
      if (state !== 'done' && !isTogether)
        this.blame('S4', `${op} goes before its parent is done (${state})`)
    }
  }
}

const isAside = ({ op }: Entry) => operations[op]?.isAside === true
