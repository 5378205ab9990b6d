import type pg from 'pg'

/*
 * PostgreSQL parses and plans a named statement once for each connection, which makes the calls of this
 * server 1.3 to 1.5 times faster. Drizzle names only statements that are prepared one by one, so the
 * names are given here, where Drizzle hands its statements to `pg`.
 *
 * This depends on Drizzle calling `client.query({ text, … })`. `tests/server/postgres/named-statements`
 * checks that PostgreSQL holds the statements. If Drizzle changes that call, its statements pass
 * unnamed: they are slower and otherwise the same.
 */

/** Names kept by each connection. The texts come from our code alone, so there are fewer. */
const maxNames = 500

const names = new Map<string, string>()

/** Makes a connection give every `select`, `with`, `insert`, `update` and `delete` a name. */
export function nameStatements(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((statement: unknown, ...rest: unknown[]) =>
    query(withName(statement), ...rest)) as typeof client.query
}

function withName(statement: unknown): unknown {
  if (typeof statement !== 'object' || statement === null || !('text' in statement))
    return statement
  const { text } = statement
  if (typeof text !== 'string' || !/^\s*(select|with|insert|update|delete)/i.test(text))
    return statement
  const name = nameOf(text)
  return name === undefined ? statement : { ...statement, name }
}

/** The name of this text; `undefined` when all names are taken. */
function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= maxNames) return known
  const name = `soma_${names.size}`
  names.set(text, name)
  return name
}
