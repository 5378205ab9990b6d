import Dexie, { type Transaction } from 'dexie'
import { Refusal } from '#domain/errors.ts'
import type { ChangeEvent } from '#server/ports/change-events.ts'
import type { Repo, Stores } from '#server/ports/repo.ts'
import { ServerDb } from './database.ts'
import { deliveriesOver } from './deliveries.ts'
import { type EventBus, openEventBus } from './event-bus.ts'
import { recordIncarnation } from './incarnations.ts'
import { paymentsOver } from './payments.ts'
import { personalDataOver } from './people/personal.ts'
import {
  applicationsOver,
  codesOver,
  confirmedPhonesOver,
  invitationsOver,
  sessionsOver,
  userNotesOver,
  usersOver,
} from './people/users.ts'
import { photosOver } from './photos.ts'
import {
  activitiesOver,
  attemptsOver,
  auditOver,
  choicesOver,
  devicesOver,
  disputesOver,
  guestTokensOver,
  ledgerOver,
  requestsOver,
  settingsOver,
  zonesOver,
} from './small-stores.ts'
import { statsOver, trendsOver, workOver } from './trends.ts'

/**
 * Opens a `Repo` over the IndexedDB database of this name, and creates it if necessary. Several tabs
 * may have it open: a transaction spans every table, so IndexedDB runs one writer at a time over all
 * tabs, and what a transaction has checked stays true until its end. Throws the refusal
 * `unavailable` when IndexedDB fails.
 */
export function openDexieRepo(name: string): Repo {
  const db = new ServerDb(name)
  const bus = openEventBus(name)
  const stores = storesOver(db, bus.publish)
  const running = new Set<Promise<unknown>>()

  // Each opening, also after another tab has deleted or replaced the database.
  db.on('ready', () => recordIncarnation(db), true)

  // Another tab deletes the database and waits until it is closed here. The next call opens it again.
  db.on('versionchange', () => {
    db.close({ disableAutoOpen: false })
    bus.lose()
    return false
  })

  async function tracked<T>(work: Promise<T>): Promise<T> {
    running.add(work)
    try {
      return await work
    } catch (error) {
      throw refusalFrom(error)
    } finally {
      running.delete(work)
    }
  }

  return {
    transaction: (work) =>
      tracked(Promise.resolve(db.transaction('rw', db.tables, async () => work(stores)))),
    read: async (work) => tracked(work(stores)),
    listen: bus.listen,
    ping: async () => {
      await tracked(Promise.resolve(db.incarnations.toCollection().first()))
    },
    async close() {
      await Promise.allSettled(running)
      bus.close()
      db.close()
    },
  }
}

function storesOver(db: ServerDb, publish: EventBus['publish']): Stores {
  return {
    users: usersOver(db),
    sessions: sessionsOver(db),
    invitations: invitationsOver(db),
    codes: codesOver(db),
    confirmedPhones: confirmedPhonesOver(db),
    attempts: attemptsOver(db),
    requests: requestsOver(db),
    deliveries: deliveriesOver(db),
    guestTokens: guestTokensOver(db),
    zones: zonesOver(db.zones),
    items: choicesOver(db.items),
    applications: applicationsOver(db),
    userNotes: userNotesOver(db),
    disputes: disputesOver(db),
    activities: activitiesOver(db),
    audit: auditOver(db),
    devices: devicesOver(db),
    photos: photosOver(db),
    ledger: ledgerOver(db),
    payments: paymentsOver(db),
    settings: settingsOver(db),
    personal: personalDataOver(db),
    stats: () => statsOver(db),
    work: (at) => workOver(db, at),
    trends: (days, at) => trendsOver(db, days, at),
    publish: publishAfterCommit(publish),
  }
}

/** Events of a transaction are published once the outermost transaction around it has committed. */
function publishAfterCommit(publish: EventBus['publish']) {
  const unpublished = new WeakMap<Transaction, ChangeEvent[]>()
  return async (event: ChangeEvent) => {
    const transaction = outermost(Dexie.currentTransaction)
    if (!transaction) return publish([event])
    const others = unpublished.get(transaction)
    if (others) return void others.push(event)
    const events = [event]
    unpublished.set(transaction, events)
    transaction.on('complete', () => publish(events))
  }
}

function outermost(transaction: Transaction | null): Transaction | null {
  return transaction && 'parent' in transaction && transaction.parent
    ? outermost(transaction.parent as Transaction)
    : transaction
}

/** Errors of a database that is closed, full or unreadable: no fault of the caller. */
const unavailable =
  /^(DatabaseClosed|OpenFailed|MissingAPI|QuotaExceeded|Abort|Timeout|Unknown|InvalidState|Version)/

/** The refusal `unavailable` with the error as its cause, or the error itself. */
function refusalFrom(error: unknown): unknown {
  return error instanceof Error && unavailable.test(error.name)
    ? Object.assign(new Refusal('unavailable'), { cause: error })
    : error
}
