import pg from 'pg'
import type { TestServer } from '../../helpers/server/server.ts'

/*
 * Makes one statement of a call fail: PostgreSQL itself raises the error, with the statement's parameters in its
 * message and detail.
 */

export type Faults = {
  /** The n-th statement from now on fails, once. */
  failAt(n: number): void
  /** Cancels the failure; returns whether it happened. */
  disarm(): boolean
}

const sqlStates = ['XX000', '55P03', '23514', '57014']

/** Call it before the server is started. */
export function createFaults(): Faults & { over(server: TestServer): void } {
  let left = 0
  let done = 0
  /** Whether this statement must fail. */
  const isDue = () => {
    if (left === 0 || --left > 0) return false
    done++
    return true
  }
  return {
    failAt(n) {
      left = n
      done = 0
    },
    disarm() {
      left = 0
      return done > 0
    },
    over: (server) => failInPostgres(server, isDue),
  }
}

let count = 0
const next = (names: string[]) => names[count++ % names.length] ?? ''

type Query = (...asked: unknown[]) => unknown

function failInPostgres(server: TestServer, isDue: () => boolean) {
  const failing = new WeakSet<object>()
  server.pool().on('acquire', (client) => {
    if (failing.has(client)) return
    failing.add(client)
    const query = client.query.bind(client) as Query
    client.query = ((asked: unknown, values: unknown, ...rest: unknown[]) => {
      const { text, parameters } = readQuery(asked, values)
      if (/^\s*rollback/i.test(text) || !isDue()) return query(asked, values, ...rest)
      return query(raise(`${text} with ${JSON.stringify(parameters)}`), undefined, ...rest)
    }) as typeof client.query
  })
}

function readQuery(asked: unknown, values: unknown): { text: string; parameters: unknown } {
  if (typeof asked !== 'object' || asked === null) return { text: `${asked}`, parameters: values }
  const { text, values: own } = asked as { text?: string; values?: unknown }
  return { text: text ?? '', parameters: own ?? values }
}

/** An SQL statement that raises an error with this text in every part. */
function raise(about: string): string {
  const text = pg.escapeLiteral(about.replaceAll('\0', '').slice(0, 5_000))
  const code = pg.escapeLiteral(next(sqlStates))
  const parts = `message = ${text}, detail = ${text}, hint = ${text}, constraint = 'a_constraint'`
  return `do ${pg.escapeLiteral(`begin raise exception using ${parts}, errcode = ${code}; end`)}`
}
