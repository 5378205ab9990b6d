import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { LoadedServer } from './loaded-server.ts'

/** One statement as PostgreSQL logged it, with its parameters in their textual form. */
type Statement = { text: string; parameters: (string | null)[] }

/** Values that are others for each client and turn, and the expression of `pgbench` for each. */
export type Replaced = Map<string, string>

/**
 * Makes the calls one after the other and returns a script for `pgbench` with the statements that PostgreSQL
 * got for them, up to the commit of each. What belongs to the client or the turn is replaced; every other
 * UUID and hash is a new one in each turn, like those that the server makes.
 */
export async function recordScript(
  { app, database }: LoadedServer,
  calls: (() => Promise<unknown>)[],
  replaced: Replaced,
): Promise<string> {
  // Settings of a role win over those of PostgreSQL's command line.
  await database.query("alter role soma_app set log_min_messages = 'log'")
  await database.query("alter role soma_app set log_statement = 'all'")
  await reconnect(database)
  const script: string[] = ['\\set turn :turn + 1']
  const fresh = freshValues()
  const body: string[] = []
  for (const call of calls) {
    const before = logOf(app.dataDir).length
    await call()
    await pause(500)
    const statements = readStatements(logOf(app.dataDir).slice(before))
    for (const statement of statements)
      body.push(`${await written(database, statement, replaced, fresh)};`)
  }
  await database.query('alter role soma_app reset all')
  await reconnect(database)
  return [...script, ...fresh.settings(), ...body, ''].join('\n')
}

async function reconnect(database: pg.Client) {
  await database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'soma_app'",
  )
  // Until the connection for events is back.
  await pause(2_000)
}

function logOf(dataDir: string): string {
  const { folder }: { folder: string } = JSON.parse(
    readFileSync(join(dataDir, 'postgres.json'), 'utf8'),
  )
  return readFileSync(join(resolve(dataDir, folder), 'soma.log'), 'utf8')
}

/** The statements of one call: from its first one to its commit. What the server does afterwards is not counted. */
function readStatements(log: string): Statement[] {
  const statements: Statement[] = []
  for (const line of log.split('\n')) {
    const text = /LOG: {2}(?:statement|execute [^:]*): (.*)$/.exec(line)?.[1]
    if (text) statements.push({ text, parameters: [] })
    const detail = /DETAIL: {2}[Pp]arameters: (.*)$/.exec(line)?.[1]
    const last = statements.at(-1)
    if (detail && last) last.parameters = readParameters(detail)
  }
  const commit = statements.findIndex(({ text }) => text === 'commit')
  if (commit === -1) throw new Error('The call has committed nothing')
  return statements.slice(0, commit + 1)
}

/** `$1 = 'it''s', $2 = NULL` */
const readParameters = (detail: string) =>
  [...detail.matchAll(/\$\d+ = (?:'((?:[^']|'')*)'|NULL)(?:, |$)/g)].map(
    ([, value]) => value?.replaceAll("''", "'") ?? null,
  )

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const hash = /[0-9a-f]{64}/g

/** Values that are new in each turn: the same one wherever the recorded one stood. */
function freshValues() {
  const made = new Map<string, string>()
  return {
    of(value: string): string {
      const known = made.get(value)
      if (known) return known
      const name = `:fresh${made.size}`
      const expression =
        value.length === 36
          ? `md5('u' || ${name})::uuid::text`
          : `md5('a' || ${name}) || md5('b' || ${name})`
      made.set(value, expression)
      return expression
    },
    settings: () =>
      [...made.values()].map((_, at) => `\\set fresh${at} random(1, 9000000000000000000)`),
  }
}

/** The statement with an expression of the right type in place of each parameter. */
async function written(
  database: pg.Client,
  { text, parameters }: Statement,
  replaced: Replaced,
  fresh: ReturnType<typeof freshValues>,
): Promise<string> {
  if (parameters.length === 0) return text
  await database.query(`prepare recorded as ${text}`)
  const { rows } = await database.query<{ types: string[] }>(
    "select parameter_types::text[] as types from pg_prepared_statements where name = 'recorded'",
  )
  await database.query('deallocate recorded')
  const types = rows[0]?.types ?? []
  return text.replaceAll(/\$(\d+)/g, (_, number: string) => {
    const at = Number(number) - 1
    const value = parameters[at] ?? null
    return value === null ? 'null' : `(${expressionOf(value, replaced, fresh)})::${types[at]}`
  })
}

function expressionOf(value: string, replaced: Replaced, fresh: ReturnType<typeof freshValues>) {
  const parts = value.split(new RegExp(`(${hash.source}|${uuid.source})`))
  return parts
    .filter((part) => part !== '')
    .map((part) => {
      const isValue = part.match(new RegExp(`^(?:${hash.source}|${uuid.source})$`)) !== null
      // A colon would begin a variable of pgbench.
      if (!isValue) return `'${part.replaceAll("'", "''").replaceAll(':', "' || chr(58) || '")}'`
      return replaced.get(part) ?? fresh.of(part)
    })
    .join(' || ')
}
