import Dexie, { type Transaction } from 'dexie'
import { Refusal } from '#domain/errors.ts'
import type { Repo, Stores } from '#server/ports/repo.ts'
import type { ChangeEvent } from '#server/rules/change-events.ts'
import { ServerDb } from './database.ts'
import { deliveriesOver, guestTokensOver } from './deliveries.ts'
import { newsWire } from './event-bus.ts'
import { photosOver } from './photos.ts'
import {
  activitiesOver,
  attemptsOver,
  auditOver,
  choicesOver,
  disputesOver,
  ledgerOver,
  requestsOver,
  settingsOver,
} from './small-stores.ts'
import { statsOver, trendsOver } from './trends.ts'
import { applicationsOver, codesOver, sessionsOver, usersOver } from './users.ts'

/**
 * A `Repo` over the IndexedDB database of this name, made when it is not there. Tabs may open it
 * side by side: a transaction spans every table, so IndexedDB lets one write at a time, whichever
 * tab it is in, and a constraint that was looked at in a transaction holds until its end.
 */
export function openDexieRepo(name: string): Repo {
  const db = new ServerDb(name)
  const wire = newsWire(name)
  const stores = storesOver(db, wire.say)
  const underWay = new Set<Promise<unknown>>()

  // Deleted by another tab, which waits for this: what is asked next opens what is there by then.
  db.on('versionchange', () => {
    db.close({ disableAutoOpen: false })
    wire.lose()
    return false
  })

  async function watched<T>(work: Promise<T>): Promise<T> {
    underWay.add(work)
    try {
      return await work
    } catch (error) {
      throw refusalFrom(error)
    } finally {
      underWay.delete(work)
    }
  }

  return {
    transaction: (work) =>
      watched(Promise.resolve(db.transaction('rw', db.tables, async () => work(stores)))),
    read: async (work) => watched(work(stores)),
    listen: wire.listen,
    ping: async () => {
      await watched(Promise.resolve(db.settings.get('epoch')))
    },
    async close() {
      await Promise.allSettled(underWay)
      wire.close()
      db.close()
    },
  }
}

function storesOver(db: ServerDb, say: (news: ChangeEvent[]) => void): Stores {
  return {
    users: usersOver(db),
    sessions: sessionsOver(db),
    codes: codesOver(db),
    attempts: attemptsOver(db),
    requests: requestsOver(db),
    deliveries: deliveriesOver(db),
    guestTokens: guestTokensOver(db),
    zones: choicesOver(db.zones),
    items: choicesOver(db.items),
    applications: applicationsOver(db),
    disputes: disputesOver(db),
    activities: activitiesOver(db),
    audit: auditOver(db),
    photos: photosOver(db),
    ledger: ledgerOver(db),
    settings: settingsOver(db),
    stats: () => statsOver(db),
    trends: (days, at) => trendsOver(db, days, at),
    publish: announcing(say),
  }
}

/** What is announced in a transaction is said when the outermost one around it has committed. */
function announcing(say: (news: ChangeEvent[]) => void) {
  const waiting = new WeakMap<Transaction, ChangeEvent[]>()
  return async (news: ChangeEvent) => {
    const transaction = outermost(Dexie.currentTransaction)
    if (!transaction) return say([news])
    const others = waiting.get(transaction)
    if (others) return void others.push(news)
    const all = [news]
    waiting.set(transaction, all)
    transaction.on('complete', () => say(all))
  }
}

function outermost(transaction: Transaction | null): Transaction | null {
  return transaction && 'parent' in transaction && transaction.parent
    ? outermost(transaction.parent as Transaction)
    : transaction
}

/** The database is closed, full, or its files cannot be read: not the fault of who asks. */
const down =
  /^(DatabaseClosed|OpenFailed|MissingAPI|QuotaExceeded|Abort|Timeout|Unknown|InvalidState|Version)/

/** What IndexedDB said, as a Refusal where people can be told; else as it was. */
function refusalFrom(error: unknown): unknown {
  return error instanceof Error && down.test(error.name)
    ? Object.assign(new Refusal('unavailable'), { cause: error })
    : error
}
