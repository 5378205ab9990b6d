import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type { Db } from '../db.ts'

/**
 * Runs the work in one transaction: all of it takes effect or nothing. Drizzle's own transaction keeps
 * the connection for ever when BEGIN fails. Here it returns to the pool whatever fails, and is closed
 * when it cannot even roll back.
 */
export async function inTransaction<T>(pool: pg.Pool, work: (db: Db) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let isBroken = false
  try {
    await client.query('begin')
    const result = await work(drizzle(client))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {
      isBroken = true
    })
    throw error
  } finally {
    client.release(isBroken)
  }
}
