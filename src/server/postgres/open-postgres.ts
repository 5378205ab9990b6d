import { sql } from 'drizzle-orm'
import type pg from 'pg'
import type { Log } from '../ports/ports.ts'
import type { Repo, Stores } from '../ports/repo.ts'
import { closeConnection } from './connection/close-connection.ts'
import { eventBus } from './connection/event-bus.ts'
import { recordStatement } from './connection/incarnations.ts'
import { isRetryable, toRefusal } from './connection/pg-errors.ts'
import { openPool, openPoolerPool, type PoolOptions } from './connection/pool.ts'
import { replicaReader } from './connection/replica.ts'
import { transactionsOver } from './connection/transaction.ts'
import { dbOver } from './db.ts'
import { storesOver } from './stores.ts'

export type PostgresRepo = Required<Repo> & {
  /** For tests and benchmarks: the pool behind every statement. */
  pool: pg.Pool
}

/** How often a transaction runs at most, when PostgreSQL asks for it again (deadlock, serialization). */
const maxTries = 4

type PostgresOptions = Pick<PoolOptions, 'trace'> & {
  /** Past the pooler of `url`: LISTEN needs a connection of its own. */
  direct?: string
  /** The standbys, for expensive reads. */
  replica?: string
}

/** A `Repo` over PostgreSQL at this address. Its tables must exist (`migrate`). `log` is for what no call reports. */
export function openPostgres(
  url: string,
  log?: Pick<Log, 'warn'>,
  { direct, replica, trace }: PostgresOptions = {},
): PostgresRepo {
  const isPooled = direct !== undefined
  const pool = isPooled ? openPoolerPool(url, { trace }) : openPool(url, { log, trace })
  const db = dbOver(pool)
  const bus = eventBus(direct ?? url, log)
  const begin = isPooled ? `begin; ${recordStatement}` : 'begin'
  const inTransaction = transactionsOver(pool, storesOver, begin)
  const stores = storesOver(db)
  const replicas = replica === undefined ? undefined : replicaReader(replica, pool, log)
  const read = async <T>(work: (stores: Stores) => Promise<T>): Promise<T> => {
    try {
      return await work(stores)
    } catch (error) {
      throw toRefusal(error)
    }
  }
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
    read,
    async readAtReplica(work) {
      const answer = await replicas?.read((tx) => work(storesOver(tx)))
      return answer ? answer.value : read(work)
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
      await replicas?.close()
    },
  }
}
