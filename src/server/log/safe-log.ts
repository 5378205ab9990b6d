import type { Log } from '../ports/ports.ts'

/*
 * What a line of the log may hold. An error's message, detail and parameters repeat what people sent:
 * codes, phone numbers, hashes (R50, R56). So an error is described by what comes from code alone. Of
 * the other fields only numbers, booleans and the texts in `textFields` are written.
 */

/** An error as the log may hold it: nothing in it comes from a request or a row. */
type DescribedError = {
  type: string
  code?: string
  constraint?: string
  routine?: string
  /** Stack frames, innermost first. */
  frames?: string[]
  cause?: DescribedError
}

/**
 * Fields whose text may be written, and the form it must have. All but `request` and `trace` are names from
 * our own code. A caller may choose `request`, but only as a UUID, and a trusted proxy `trace`.
 */
const textFields: Record<string, RegExp> = {
  op: /^[A-Za-z_]\w{0,62}$/,
  reason: /^[A-Za-z_]\w{0,62}$/,
  method: /^[A-Z]{3,10}$/,
  route: /^(\*|\/[\w:/.*-]{0,80})$/,
  request: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  trace: /^[0-9a-f]{32}$/,
}

const described = new WeakSet<object>()
const wrapped = new WeakSet<Log>()

/** A log that leaves out every text of an error or a request. Wrapping it twice changes nothing. */
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

/** Sends what packages write to the console to the log, by the same rules. */
export function captureConsole(log: Log, to: Console = globalThis.console as unknown as Console) {
  for (const name of ['debug', 'log', 'info', 'warn', 'error', 'trace'])
    to[name] = (...args: unknown[]) =>
      log.warn(
        { err: args.find((each) => each instanceof Error) },
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
  if (typeof value !== 'string') return describeError(value)
  return textFields[name]?.test(value) ? value : '(left out)'
}

/** Describes anything that was thrown by its type, code, constraint, routine, stack frames and causes. */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (typeof error !== 'object' || error === null) return { type: typeof error }
  if (described.has(error)) return error as DescribedError
  // The `code` of another object may be an SMS code.
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

/** One line that says why the server cannot start: `DatabaseError 28P01 (auth_failed)`. */
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
  '53100': ': the disk of the database is full.',
  '53300': ': the database has no connection left.',
  '57P03': ': the database is starting or stopping.',
  '42501': ': the database refuses the user this statement.',
}

/** Types, codes and routines are one short word. Anything else may contain personal data. */
const plainWord = (text: unknown): string | undefined =>
  typeof text === 'string' && /^[A-Za-z_]\w{0,62}$|^[0-9A-Z]{5}$/.test(text) ? text : undefined

const frame = /^ {4}at (?:.*\(.+:\d+:\d+\)|.+:\d+:\d+|.*\((?:<anonymous>|native|index \d+)\))$/

/** The frames without the message before them, whose lines may look like frames. */
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
