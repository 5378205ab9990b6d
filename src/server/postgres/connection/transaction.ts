import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { Refusal } from '#domain/errors.ts'
import type { Db } from '../db.ts'
import type { Connection } from './connection.ts'

/*
 *   begin ──▶ what the work reads ──▶ … ──▶ its last writes ─┬─▶ commit
 *                                                            └ sent together
 */

/**
 * Returns the function that runs work in one transaction: all of it takes effect or nothing. `commit` follows
 * the writes that nobody waited for (`Db.write`) at once. PostgreSQL answers a `commit` after a failed statement by rolling
 * back, so a write that fails takes all others with it. The connection returns to the pool whatever fails, and is closed when
 * it cannot even roll back. What `storesOver` makes of a connection is kept with it: its prepared statements. `begin` may
 * bring a statement along. Each connection of the pool is a `Connection`.
 */
export function transactionsOver<S>(pool: pg.Pool, storesOver: (db: Db) => S, begin = 'begin') {
  const units = new WeakMap<pg.PoolClient, Unit<S>>()
  const unitOf = (client: pg.PoolClient): Unit<S> => {
    const known = units.get(client)
    if (known) return known
    const writes = pendingWrites()
    const unit = { writes, stores: storesOver(Object.assign(drizzle(client), writes)) }
    units.set(client, unit)
    return unit
  }

  return async function inTransaction<T>(work: (stores: S) => Promise<T>): Promise<T> {
    const client = (await pool.connect()) as pg.PoolClient & Connection
    const { writes, stores } = unitOf(client)
    let isBroken = false
    try {
      writes.clear()
      client.failure = undefined
      // Waited for: after a `begin` that failed, each statement would take effect by itself.
      await client.query(begin)
      const result = await work(stores)
      await commit(client, writes)
      return result
    } catch (error) {
      await client.query('rollback').catch(() => {
        isBroken = true
      })
      throw error instanceof Refusal
        ? error
        : causeOf(client.failure?.error, await writes.firstFailure(), error)
    } finally {
      client.release(isBroken)
    }
  }
}

type Unit<S> = { writes: PendingWrites; stores: S }

/**
 * The cause of a rollback. Statements after a failed one fail too, and the work may see such an error first.
 * Drizzle's form of the error is preferred, because its stack says where the statement was sent.
 */
function causeOf(first: unknown, ofWrites: unknown, error: unknown): unknown {
  if (first === undefined) return ofWrites ?? error
  return [ofWrites, error].find((each) => isOf(each, first)) ?? first
}

function isOf(error: unknown, failure: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (at === failure) return true
  return false
}

/** Sends `commit` with the last writes, but not after one that failed before it was sent: PostgreSQL would not know. */
async function commit(client: pg.PoolClient & Connection, writes: PendingWrites) {
  const send = client.hold()
  // By then every failure on this side has been recorded.
  await new Promise((resolve) => setImmediate(resolve))
  const committing = writes.failure() === undefined ? client.query('commit') : undefined
  send()
  const committed = await committing
  const failure = await writes.firstFailure()
  if (failure !== undefined) throw failure
  // The work went on after a statement that had failed.
  if (committed?.command !== 'COMMIT') throw new Error('The transaction was rolled back')
}

type PendingWrites = ReturnType<typeof pendingWrites>

/** The statements of a transaction that are under way and that nobody waits for. */
function pendingWrites() {
  let underWay: PromiseLike<{ failure?: unknown }>[] = []
  let newest: { failure?: unknown } = {}
  return {
    clear() {
      underWay = []
      newest = {}
    },
    /** Sends a statement, and notes when it fails. */
    async write(statement: PromiseLike<unknown>): Promise<void> {
      // Called here and not by `await`: the order of the calls is the order of the statements.
      const outcome = statement.then(
        () => ({}),
        (failure: unknown) => {
          newest = { failure }
          return newest
        },
      )
      underWay.push(outcome)
    },
    /** Why one of them failed, as far as is known. */
    failure: () => newest.failure,
    /** Waits for all. Why the first one failed: the others failed because of it. */
    async firstFailure(): Promise<unknown> {
      const outcomes = await Promise.all(underWay)
      return outcomes.find(({ failure }) => failure !== undefined)?.failure
    },
  }
}
