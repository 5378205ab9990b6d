import pg from 'pg'
import type { Log } from '../../ports/ports.ts'
import { recordIncarnation, recordStatement } from './incarnations.ts'
import { nameStatements } from './named-statements.ts'
import { joinWrites } from './pipelining.ts'

/** Connections in all, and times in milliseconds. A statement that waits or runs longer is cancelled: 503. */
const limits = {
  connections: 12,
  connect: 5_000,
  statement: 15_000,
  lock: 5_000,
  idle: 30_000,
  /** Without an answer the connection is given up: the network, the pooler or the standby of a commit is lost. */
  answer: 20_000,
}

/** Of a replica: the primary takes over what it cannot answer, so it is not waited for. */
const replicaConnect = 1_000

/** The limits as PostgreSQL's settings, in milliseconds. */
export const timeouts = {
  statement_timeout: limits.statement,
  lock_timeout: limits.lock,
  idle_in_transaction_session_timeout: limits.idle,
}

/** Connections to PostgreSQL itself. */
export function openPool(url: string, log: Pick<Log, 'warn'> | undefined): pg.Pool {
  const pool = poolOf({
    ...settingsFor(url),
    ...timeouts,
    // The pool waits for it, so nothing is written before.
    onConnect: (client) =>
      recordIncarnation(client).catch((error: unknown) =>
        log?.warn({ err: error }, 'The incarnation was not recorded; lists are answered in full'),
      ),
  })
  pool.on('connect', nameStatements)
  return pool
}

/**
 * Connections to a pooler in transaction mode. It keeps no session: its server connections know no statement
 * by the name that another one was given, and it refuses settings of a session, which the role then has
 * (`preparePooledDatabase`). After a failover it goes on over the same connections, so each
 * transaction looks whether PostgreSQL is still the one it was (R93).
 */
export function openPoolerPool(url: string): pg.Pool {
  const pool = poolOf(settingsFor(url))
  pool.on('connect', recordAtBegin)
  return pool
}

/** Connections to standbys, or to a pooler before them. */
export const openReplicaPool = (url: string): pg.Pool =>
  poolOf({ ...settingsFor(url), connectionTimeoutMillis: replicaConnect })

const settingsFor = (url: string): pg.PoolConfig => ({
  connectionString: url,
  max: limits.connections,
  connectionTimeoutMillis: limits.connect,
  query_timeout: limits.answer,
  application_name: 'soma',
  keepAlive: true,
  pipeline: true,
})

/** Makes a connection record the incarnation in each transaction, in the round trip of its `begin`. */
function recordAtBegin(client: pg.ClientBase) {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((statement: unknown, ...rest: unknown[]) =>
    query(
      statement === 'begin' ? `begin; ${recordStatement}` : statement,
      ...rest,
    )) as typeof client.query
}

function poolOf(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config)
  // Without a listener, an idle connection that breaks would end the process. The next statement that
  // needs the database fails with the reason, and its request logs it.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    joinWrites(client)
    endWhenUnanswered(client)
  })
  return pool
}

/** Ends a connection whose statement was given up: each statement after it, also a rollback, would wait as long. */
function endWhenUnanswered(client: pg.Client) {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((...args: unknown[]) => {
    const answer = query(...args)
    if (answer instanceof Promise)
      answer.catch((error: unknown) => {
        if (error instanceof Error && /read timeout/.test(error.message)) void client.end()
      })
    return answer
  }) as typeof client.query
}
