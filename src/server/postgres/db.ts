import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type pg from 'pg'

/** The pool, or one transaction of it: every store runs over one of the two. */
export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'> & {
  /**
   * Runs a statement whose result nobody needs. In a transaction it is sent, and the call returns at once;
   * a failure ends the transaction with its error, at the latest when it commits.
   */
  write(statement: PromiseLike<unknown>): Promise<void>
}

/** The row that a statement always returns. Throws when it did not. */
export function existing<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('The database returned no row')
  return row
}

/** Statements without a transaction, or in one of somebody else's: each write is waited for. */
export const dbOver = (client: pg.Pool | pg.ClientBase): Db =>
  Object.assign(drizzle(client as pg.Pool), {
    write: async (statement: PromiseLike<unknown>) => void (await statement),
  })
