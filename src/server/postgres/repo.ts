import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Log } from '../ports/ports.ts'
import type { Repo } from '../ports/repo.ts'
import { closeConnection } from './connection/close-connection.ts'
import { eventBus } from './connection/event-bus.ts'
import { recordIncarnation } from './connection/incarnations.ts'
import { nameStatements } from './connection/named-statements.ts'
import { isRetryable, toRefusal } from './connection/pg-errors.ts'
import { joinWrites } from './connection/pipelining.ts'
import { transactionsOver } from './connection/transaction.ts'
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

/** A `Repo` over PostgreSQL at this address. Its tables must exist (`migrate`). `log` is for what no call reports. */
export function openPostgres(url: string, log?: Pick<Log, 'warn'>): PostgresRepo {
  const pool = openPool(url, log)
  const db = Object.assign(drizzle(pool), {
    write: async (statement: PromiseLike<unknown>) => void (await statement),
  })
  const bus = eventBus(url, log)
  const inTransaction = transactionsOver(pool, storesOver)
  const stores = storesOver(db)
  return {
    pool,
    async transaction(work) {
      for (let tries = 1; ; tries++) {
        try {
          return await inTransaction(work)
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

function openPool(url: string, log: Pick<Log, 'warn'> | undefined): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: limits.connections,
    connectionTimeoutMillis: limits.connect,
    statement_timeout: limits.statement,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idle,
    application_name: 'soma',
    keepAlive: true,
    pipeline: true,
    // The pool waits for it, so nothing is written before.
    onConnect: (client) =>
      recordIncarnation(client).catch((error: unknown) =>
        log?.warn({ err: error }, 'The incarnation was not recorded; lists are answered in full'),
      ),
  })
  // Without a listener, an idle connection that breaks would end the process. The next statement that
  // needs the database fails with the reason, and its request logs it.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    nameStatements(client)
    joinWrites(client)
  })
  return pool
}
