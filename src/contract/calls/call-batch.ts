import type { Endpoint } from '#operations/endpoint.ts'
import { endpoints, type Op } from '../endpoints.ts'
import { type Transport, withByteCount } from '../transport.ts'
import { buildNumber, clientVersionHeader } from '../version.ts'
import { errorFrom, type Refused, Unreachable } from '../wire-errors.ts'
import type { CallResult } from './call.ts'
import {
  aboutOf,
  type CallInput,
  fetchResponse,
  pathWithQuery,
  readBody,
  readResponse,
} from './call-line.ts'

/** One operation of a batch: a call under its request key. `after`: keys of the same batch that must succeed first. */
export type BatchOperation = {
  key: string
  op: Op
  input: Pick<CallInput, 'id' | 'query' | 'body'>
  occurredAt?: string
  /** The solution of a challenge (R143). */
  challenge?: string
  after?: string[]
}

/** How one operation ended, as soon as the server has said so. `skipped`: one it comes after did not succeed. */
export type BatchLine = { key: string } & (
  | { result: CallResult<Op> }
  | { error: Refused | Unreachable }
  | { skipped: true }
)

/** The most characters of one batch. The server takes about twice as much. */
const mostCharacters = 400_000

/**
 * Makes up to 100 calls in one request and gives each outcome to `onLine` as it comes. Operations beyond
 * the size of a request are left out; resolves to how many were sent. Throws `Refused` or `Unreachable` as `call` does when the batch as
 * a whole has no response; what was given until then stands.
 */
export async function callBatch(
  transport: Transport,
  base: string,
  operations: readonly BatchOperation[],
  { token, signal }: Pick<CallInput, 'token' | 'signal'>,
  onLine: (line: BatchLine) => void,
): Promise<number> {
  const headers = new Headers({
    accept: 'application/x-ndjson',
    'content-type': 'application/json',
    [clientVersionHeader]: `${buildNumber}`,
  })
  if (token) headers.set('authorization', `Bearer ${token}`)
  const texts = textsOf(operations)
  const body = `{"operations":[${texts.join()}]}`
  const url = `${base}/batch`
  const init = { method: 'POST', headers, body, signal, cache: 'no-store' } as const
  const response = await fetchResponse(
    transport,
    withByteCount(new Request(url, init), body.length),
  )
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok || !type.startsWith('application/x-ndjson')) throw await failure(response)
  const ops = new Map(operations.map(({ key, op }) => [key, op]))
  for await (const line of linesOf(response)) {
    const op = ops.get(line.key)
    if (op) onLine(readLine(op, line))
  }
  return texts.length
}

/** As many operations as fit, the first ones. */
function textsOf(operations: readonly BatchOperation[]): string[] {
  const texts: string[] = []
  let length = 0
  for (const operation of operations) {
    const text = JSON.stringify(toWire(operation))
    length += text.length
    if (texts.length > 0 && length > mostCharacters) break
    texts.push(text)
  }
  return texts
}

function toWire({ key, op, input, occurredAt, challenge, after }: BatchOperation) {
  const endpoint: Endpoint = endpoints[op]
  const path = pathWithQuery(endpoint, input)
  return { key, method: endpoint.method, path, body: input.body, occurredAt, challenge, after }
}

/** Of a backend without a batch. */
const missingStatuses = [404, 405, 415]

/** What a response that is no stream of lines means. */
async function failure(response: Response): Promise<Error> {
  const { status } = response
  const { body } = await readBody(response).catch((error: unknown) => {
    // Whatever the page says, there is no such call.
    if (missingStatuses.includes(status)) return { body: undefined }
    throw error
  })
  return response.ok
    ? new Unreachable('Not our response')
    : errorFrom(status, body, aboutOf(response))
}

/** One line as it travels. `retryAfter`: seconds. */
type WireLine = { key: string; status: number; body: unknown; retryAfter?: number }

async function* linesOf(response: Response): AsyncGenerator<WireLine> {
  let rest = ''
  try {
    for await (const text of textIn(response)) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') yield JSON.parse(line)
    }
  } catch (cause) {
    throw new Unreachable('The response broke off', { cause })
  }
}

/** The text as it comes; all at once in browsers whose responses are no streams. */
async function* textIn(response: Response): AsyncGenerator<string> {
  const reader = response.body?.getReader?.()
  if (!reader) return yield await response.text()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      yield decoder.decode(value, { stream: !done })
      if (done) return
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}

function readLine(op: Op, { key, status, body, retryAfter }: WireLine): BatchLine {
  if (status === 424) return { key, skipped: true }
  if (status >= 400) {
    const wait = retryAfter === undefined ? undefined : retryAfter * 1_000
    return { key, error: errorFrom(status, body, { retryAfter: wait, isMarked: true }) }
  }
  try {
    const { value, unreadable } = readResponse(endpoints[op], { status, body, isMarked: true })
    const bytes = JSON.stringify(body).length
    return { key, result: { status, value, unreadable, replayed: false, bytes } }
  } catch (error) {
    if (error instanceof Unreachable) return { key, error }
    throw error
  }
}
