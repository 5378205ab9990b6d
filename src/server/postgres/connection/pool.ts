import { AsyncResource } from 'node:async_hooks'
import pg from 'pg'
import type { Log } from '../../ports/ports.ts'
import { Connection, type ConnectionConfig, type TraceStatement } from './connection.ts'
import { recordIncarnation } from './incarnations.ts'

/** Connections in all, and times in milliseconds. A statement that waits or runs longer is cancelled: 503. */
const limits = {
  connections: 12,
  connect: 5_000,
  statement: 15_000,
  lock: 5_000,
  idle: 30_000,
  /**
   * After this time without a response the connection is closed: the network, the pooler or a synchronous
   * standby is lost.
   */
  answer: 20_000,
}

/** For a replica: short, because the primary takes over. */
const replicaConnect = 1_000

/** The limits as PostgreSQL's settings, in milliseconds. */
export const timeouts = {
  statement_timeout: limits.statement,
  lock_timeout: limits.lock,
  idle_in_transaction_session_timeout: limits.idle,
}

export type PoolOptions = {
  /** For failures outside calls. */
  log?: Pick<Log, 'warn'>
  trace?: TraceStatement
}

/** Connections to PostgreSQL itself. */
export const openPool = (url: string, { log, trace }: PoolOptions = {}): pg.Pool =>
  poolOf({
    ...settingsFor(url),
    ...timeouts,
    namesStatements: true,
    trace,
    // The pool awaits it, so nothing is written before.
    onConnect: (client: pg.ClientBase) =>
      recordIncarnation(client).catch((error: unknown) =>
        log?.warn({ err: error }, 'The incarnation was not recorded; lists are answered in full'),
      ),
  })

/**
 * Connections to a pooler in transaction mode. It keeps no session: its server connections know no statement by
 * the name that another one was given, and it refuses settings of a session, which the role then has
 * (`preparePooledDatabase`). After a failover it reuses its connections, so each transaction checks whether
 * PostgreSQL is still the same (`recordStatement`).
 */
export const openPoolerPool = (url: string, { trace }: PoolOptions = {}): pg.Pool =>
  poolOf({ ...settingsFor(url), trace })

/** Connections to standbys, or to a pooler before them. */
export const openReplicaPool = (url: string): pg.Pool =>
  poolOf({ ...settingsFor(url), connectionTimeoutMillis: replicaConnect })

const settingsFor = (url: string) => ({
  connectionString: url,
  max: limits.connections,
  connectionTimeoutMillis: limits.connect,
  query_timeout: limits.answer,
  application_name: 'soma',
  keepAlive: true,
  pipeline: true,
})

/**
 * A call that waited for a connection keeps its own async context, not that of the call that released it (for
 * traces).
 */
class ConnectionPool extends pg.Pool {
  override connect(callback?: (...args: never[]) => void): never {
    return super.connect((callback && AsyncResource.bind(callback as () => void)) as never) as never
  }
}

function poolOf(config: pg.PoolConfig & ConnectionConfig): pg.Pool {
  const pool = new ConnectionPool({ ...config, Client: Connection } as pg.PoolConfig)
  // Without a listener, an idle connection that breaks would end the process. The next statement that
  // needs the database fails with the reason, and its request logs it.
  pool.on('error', () => undefined)
  return pool
}
