import type { Log } from '../ports/ports.ts'

/*
 * What a line of the log may hold. An error's message, detail and parameters repeat what people sent:
 * codes, phones, hashes. So an error is described by what comes from code alone, and of anything
 * else only numbers, booleans and the names below are written.
 */

/** An error by an allow-list: nothing in it comes from a request or a row. */
export type DescribedError = {
  type: string
  code?: string
  constraint?: string
  routine?: string
  /** Stack frames, innermost first. */
  frames?: string[]
  cause?: DescribedError
}

/** Fields of a line whose text is a name out of our own code. */
const names = ['op', 'reason']

const described = new WeakSet<object>()
const wrapped = new WeakSet<Log>()

/** The same log, to which no text of an error or of a request can get. Wrapping it twice is the same. */
export function safeLog(log: Log): Log {
  if (wrapped.has(log)) return log
  const safe: Log = {
    info: (about, message) => log.info(safeFields(about), message),
    warn: (about, message) => log.warn(safeFields(about), message),
    error: (about, message) => log.error(safeFields(about), message),
  }
  wrapped.add(safe)
  return safe
}

type Console = Record<string, unknown>

/** What packages write to the console goes to the log as well, and by the same allow-list. */
export function captureConsole(log: Log, to: Console = globalThis.console as unknown as Console) {
  for (const name of ['debug', 'log', 'info', 'warn', 'error', 'trace'])
    to[name] = (...said: unknown[]) =>
      log.warn(
        { err: said.find((each) => each instanceof Error) },
        'A package wrote to the console',
      )
}

function safeFields(about: object): Record<string, unknown> {
  const fields = Object.entries(about).flatMap(([name, value]) => {
    const safe = safeValue(name, value)
    return safe === undefined ? [] : [[name, safe]]
  })
  return Object.fromEntries(fields)
}

function safeValue(name: string, value: unknown): unknown {
  if (value === undefined) return undefined
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (names.includes(name) && typeof value === 'string') return plainWord(value)
  return typeof value === 'string' ? '(left out)' : describeError(value)
}

/** Whatever was thrown, by its type, code, constraint, routine and stack frames, and those of its causes. */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (typeof error !== 'object' || error === null) return { type: typeof error }
  if (described.has(error)) return error as DescribedError
  // A `code` of anything else may be one that a person was sent.
  if (!(error instanceof Error)) return { type: 'object' }
  const { code, constraint, routine, cause } = error as Error & Record<string, unknown>
  const description: DescribedError = {
    type: plainWord(error.constructor?.name) ?? 'Error',
    code: plainWord(code),
    constraint: plainWord(constraint),
    routine: plainWord(routine),
    frames: framesOf(error),
    cause: cause === undefined || depth >= 5 ? undefined : describeError(cause, depth + 1),
  }
  described.add(description)
  return description
}

/** For the one line that says why the server cannot start: `DatabaseError 28P01 (auth_failed)`. */
export function errorHeadline(error: unknown): string {
  const chain: DescribedError[] = []
  for (let at: DescribedError | undefined = describeError(error); at; at = at.cause) chain.push(at)
  const telling = chain.find(({ code }) => code !== undefined) ?? chain.at(-1)
  const { type = 'error', code, routine } = telling ?? {}
  const hint = hints[code ?? ''] ?? ''
  return [type, code, routine && `(${routine})`].filter(Boolean).join(' ') + hint
}

const hints: Record<string, string> = {
  ECONNREFUSED: ': nothing listens at the address of the database.',
  ENOTFOUND: ': the host of the database is not known.',
  ETIMEDOUT: ': the database does not answer.',
  '28P01': ': the database refuses the user or the password.',
  '28000': ': the database refuses the user.',
  '3D000': ': there is no such database.',
  '42501': ': the database refuses the user this statement.',
}

/** Names of types, codes and routines are short and of one word; anything else may be somebody's text. */
const plainWord = (text: unknown): string | undefined =>
  typeof text === 'string' && /^[A-Za-z_]\w{0,62}$|^[0-9A-Z]{5}$/.test(text) ? text : undefined

const frame = /^ {4}at (?:.*\(.+:\d+:\d+\)|.+:\d+:\d+|.*\((?:<anonymous>|native|index \d+)\))$/

/** The frames alone: a stack begins with the message, which may have lines that look like frames. */
function framesOf({ stack = '', message }: Error): string[] {
  if (typeof stack !== 'string') return []
  const start = message === '' ? -1 : stack.indexOf(message)
  const rest = start === -1 ? stack : stack.slice(start + message.length)
  const lines = rest.split('\n').reverse()
  const end = lines.findIndex((line) => !frame.test(line))
  return lines
    .slice(0, end === -1 ? undefined : end)
    .reverse()
    .map((line) => line.trim())
}
