import type { Writable } from 'node:stream'
import pg from 'pg'

/** Runs a statement as a part of the call it belongs to. `statement` is a text, or an object with one. */
export type TraceStatement = <T>(statement: unknown, send: () => Promise<T>) => Promise<T>

export type ConnectionConfig = pg.ClientConfig & {
  namesStatements?: boolean
  trace?: TraceStatement
}

/**
 * A connection of a pool. Beside what `pg` does with a statement,
 *
 * - Drizzle's have a name, with `namesStatements`: PostgreSQL parses and plans a named one once for each connection,
 *   which is 1.3 to 1.5 times faster. Drizzle itself names only those that are prepared one by one;
 * - `trace` is told of it;
 * - `failure` is kept, where it is the first that fails. Set it back before a transaction;
 * - those of one turn of the event loop leave in one write (`hold`): each write is a system call here, and a wake-up of
 *   PostgreSQL's process there.
 *
 * With `pipeline` a statement is sent while earlier ones are unanswered, and PostgreSQL answers in their order. One without
 * an answer after `query_timeout` ends the connection, because those behind it would wait as long.
 */
export class Connection extends pg.Client {
  failure: { error: unknown } | undefined
  readonly #config: ConnectionConfig
  #isHeld = false

  constructor(config: ConnectionConfig = {}) {
    super(config)
    this.#config = config
    // Without a listener a broken connection would end the process. The next statement fails with the reason.
    this.on('error', () => undefined)
  }

  /** As `pg` declares it: with a callback after the values, or with a promise. */
  override query(statement: unknown, ...rest: unknown[]): never {
    const { namesStatements, trace } = this.#config
    const callback = rest.at(-1)
    const values = typeof callback === 'function' ? rest.slice(0, -1) : rest
    const sent = namesStatements ? withName(statement) : statement
    const send = () => super.query(sent as string, ...(values as [unknown[]]))
    this.#holdForThisTurn()
    const answer = trace ? trace(statement, send) : send()
    answer.then(
      (result) => typeof callback === 'function' && callback(null, result),
      (error: unknown) => {
        this.failure ??= { error }
        if (typeof callback === 'function') callback(error)
      },
    )
    return answer as never
  }

  /** Keeps back what is sent until the returned function is called. Where `pg` has another stream, nothing is kept. */
  hold(): () => void {
    const { stream } = (this as unknown as { connection?: { stream?: Writable } }).connection ?? {}
    stream?.cork()
    return () => stream?.uncork()
  }

  #holdForThisTurn() {
    if (this.#isHeld) return
    this.#isHeld = true
    const send = this.hold()
    process.nextTick(() => {
      this.#isHeld = false
      send()
    })
  }
}

/** A bound for the map. Statement texts come from our code only, so there are fewer. */
const maxNames = 500

const names = new Map<string, string>()

/** Drizzle calls `query({ text, … })`. A plain text is one of ours, such as `begin`. */
function withName(statement: unknown): unknown {
  if (typeof statement !== 'object' || statement === null || !('text' in statement))
    return statement
  const { text } = statement
  if (typeof text !== 'string' || !/^\s*(select|with|insert|update|delete)/i.test(text))
    return statement
  const name = names.get(text) ?? (names.size < maxNames ? `soma_${names.size}` : undefined)
  if (name === undefined) return statement
  names.set(text, name)
  return { ...statement, name }
}
