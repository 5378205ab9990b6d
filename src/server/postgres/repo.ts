import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Repo } from '../ports/repo.ts'
import { closeConnection } from './connection/close-connection.ts'
import { eventBus } from './connection/event-bus.ts'
import { nameStatements } from './connection/named-statements.ts'
import { isRetryable, toRefusal } from './connection/pg-errors.ts'
import { inTransaction } from './connection/transaction.ts'
import type { Db } from './db.ts'
import { settingsOver } from './records/settings.ts'
import { storesOver } from './stores.ts'

export type PostgresRepo = Repo & {
  /** For tests and benchmarks: the pool behind every statement. */
  pool: pg.Pool
}

/** Connections in all, and times in milliseconds. A statement that waits or runs longer is cancelled: 503. */
const limits = {
  connections: 12,
  connect: 5_000,
  statement: 15_000,
  lock: 5_000,
  idle: 30_000,
}

/** How often a transaction runs at most, when PostgreSQL asks for it again (deadlock, serialization). */
const maxTries = 4

/** A `Repo` over PostgreSQL at this address. Its tables must exist (`migrate`). */
export function openPostgres(url: string): PostgresRepo {
  const pool = openPool(url)
  const db = drizzle(pool)
  const bus = eventBus(url)
  const epoch = epochReader(db)
  const stores = storesOver(db, epoch)
  return {
    pool,
    async transaction(work) {
      for (let tries = 1; ; tries++) {
        try {
          return await inTransaction(pool, (tx) => work(storesOver(tx, epoch)))
        } catch (error) {
          if (tries >= maxTries || !isRetryable(error)) throw toRefusal(error)
        }
      }
    },
    async read(work) {
      try {
        return await work(stores)
      } catch (error) {
        throw toRefusal(error)
      }
    },
    listen: bus.listen,
    async ping() {
      await db.execute(sql`select 1`).catch((error: unknown) => {
        throw toRefusal(error)
      })
    },
    async close() {
      await bus.close()
      await closeConnection(pool)
    },
  }
}

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: limits.connections,
    connectionTimeoutMillis: limits.connect,
    statement_timeout: limits.statement,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idle,
    application_name: 'soma',
    keepAlive: true,
  })
  // Without a listener, an idle connection that breaks would end the process. The next statement that
  // needs the database fails with the reason, and its request logs it.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    nameStatements(client)
  })
  return pool
}

/**
 * Reads the random name of this database once. A cursor carries it, so that one taken from another
 * database (a restored copy, a fresh start) is recognised (R73).
 */
function epochReader(db: Db): () => Promise<string> {
  let epoch: Promise<string> | undefined
  const read = () => {
    const random = Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex')
    return settingsOver(db).keep('epoch', random)
  }
  return () => {
    epoch ??= read().catch((error: unknown) => {
      // The next call reads it again.
      epoch = undefined
      throw error
    })
    return epoch
  }
}
