import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { workQueue } from '../../limits/work-queue.ts'
import { circuitBreaker } from './circuit-breaker.ts'
import { describeProblem, type Failure } from './describe-problem.ts'
import type { ObjectStorageSettings } from './settings.ts'
import { StorageUnavailable } from './storage-problem.ts'

/** Times in milliseconds: of one try, of all tries of one request, and of the pause before the second. */
const defaultPatience = { ofOneTry: 7_000, inAll: 15_000, tries: 3, pause: 200 }
export type Patience = typeof defaultPatience

/** Requests under way at once, and those that may wait. Slow reads leave room for writes. */
const parallel = { reads: { running: 64, waiting: 256 }, writes: { running: 32, waiting: 64 } }

/** The most bytes of an answer: a photo of an earlier version has 10 MB. */
const maxAnswerBytes = 12_000_000

export type ObjectRequest = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** The name of the object in the bucket. Empty for the bucket itself. */
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Uint8Array
  /** Seconds. Then the address is signed, in place of the headers, and is good for that long. */
  signedFor?: number
}

/** `body` is the whole body, at most 12 MB. */
export type ObjectAnswer = { status: number; headers: Headers; body: Uint8Array<ArrayBuffer> }

export type ObjectStorageClient = ReturnType<typeof objectStorageClient>

/**
 * Signed requests to one bucket (AWS Signature Version 4). Each is tried again when the connection breaks
 * or the storage answers 5xx: all of them may be repeated.
 */
export function objectStorageClient(settings: ObjectStorageSettings, patience = defaultPatience) {
  const reads = workQueue(parallel.reads.running, parallel.reads.waiting)
  const writes = workQueue(parallel.writes.running, parallel.writes.waiting)
  const circuit = circuitBreaker<StorageUnavailable>()
  const signingKeys = new Map<string, ArrayBuffer>()

  function signed({ method, key, query, headers, body, signedFor }: ObjectRequest) {
    const { endpoint, bucket, region, accessKey, secretKey } = settings
    const url = new URL(`${endpoint}/${bucket}${key && `/${key}`}`)
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
    if (signedFor !== undefined) url.searchParams.set('X-Amz-Expires', `${signedFor}`)
    const all = new Headers(headers)
    if (signedFor === undefined) all.set('x-amz-content-sha256', sha256(body ?? ''))
    return new AwsV4Signer({
      method,
      url: url.href,
      headers: all,
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      service: 's3',
      region,
      cache: signingKeys,
      signQuery: signedFor !== undefined,
      // The content type of what is written is signed too.
      allHeaders: method === 'PUT',
    }).sign()
  }

  /** One try. Throws what `fetch` throws, also when it takes longer than `timeout` milliseconds. */
  async function tryOnce(request: ObjectRequest, timeout: number): Promise<ObjectAnswer> {
    const { url, headers } = await signed(request)
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(new TimedOut()), timeout)
    try {
      const answer = await fetch(url, {
        method: request.method,
        headers,
        body: request.body && new Uint8Array(request.body),
        // A signature is good for one address only.
        redirect: 'manual',
        signal: abort.signal,
      })
      return {
        status: answer.status,
        headers: answer.headers,
        body: await wholeBody(answer),
      }
    } finally {
      clearTimeout(timer)
      abort.abort()
    }
  }

  /** All tries. Throws `StorageUnavailable` when none brought an answer that means something. */
  async function tryAgain(request: ObjectRequest): Promise<ObjectAnswer> {
    const until = performance.now() + patience.inAll
    for (let tries = 1; ; tries++) {
      const timeout = Math.min(patience.ofOneTry, until - performance.now())
      const outcome = await tryOnce(request, timeout).catch((error: unknown) => ({ error }))
      const failure = failureOf(request, outcome)
      if (!failure && 'status' in outcome) return outcome
      const wait = patience.pause * 2 ** (tries - 1) * (0.5 + Math.random())
      const isLast = tries >= patience.tries || performance.now() + wait >= until
      if (failure && (isLast || !isTemporary(failure)))
        throw new StorageUnavailable(
          describeProblem(settings, failure),
          'error' in outcome ? outcome.error : undefined,
        )
      await pause(wait)
    }
  }

  return {
    settings,
    /**
     * The answer to a request; 404 when there is no such object. Throws `StorageUnavailable`. Refusal:
     * unavailable, when too many requests wait.
     */
    send(request: ObjectRequest): Promise<ObjectAnswer> {
      const queued = ['GET', 'HEAD'].includes(request.method) ? reads : writes
      return queued(async () => {
        const known = circuit.openBy()
        if (known) throw new StorageUnavailable(known.problem, known.cause)
        try {
          const answer = await tryAgain(request)
          circuit.succeeded()
          return answer
        } catch (error) {
          if (error instanceof StorageUnavailable && !error.problem.isPermanent)
            circuit.failed(error)
          throw error
        }
      })
    },
    /** As `send`, once, within `timeout` milliseconds, whatever is known of the storage. */
    async probe(request: ObjectRequest, timeout: number): Promise<ObjectAnswer> {
      const outcome = await tryOnce(request, timeout).catch((error: unknown) => ({ error }))
      const failure = failureOf(request, outcome)
      if (failure) throw new StorageUnavailable(describeProblem(settings, failure))
      circuit.succeeded()
      return outcome as ObjectAnswer
    },
  }
}

export const sha256 = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex')

class TimedOut extends Error {
  readonly code = 'ETIMEDOUT'
}

class AnswerTooLong extends Error {
  readonly code = 'ANSWER_TOO_LONG'
}

/** What is wrong with the outcome of one try; `undefined` for an answer that means something. */
function failureOf(
  request: ObjectRequest,
  outcome: ObjectAnswer | { error: unknown },
): Failure | undefined {
  const action = actionOf(request)
  if ('error' in outcome) return { action, code: codeOfError(outcome.error) }
  const { status, body } = outcome
  if (status >= 200 && status < 300) return undefined
  const code = errorCodeIn(body)
  if (status === 404 && code !== 'NoSuchBucket') return undefined
  return { action, status, code }
}

function actionOf({ method, key }: ObjectRequest): Failure['action'] {
  if (method === 'PUT') return 'write to'
  if (method === 'DELETE') return 'delete from'
  return key === '' ? 'list' : 'read from'
}

/** Whether the same request may succeed in a moment. S3 answers 400 to a body that came too slowly. */
const isTemporary = ({ status, code }: Failure) =>
  status === undefined || status >= 500 || status === 429 || code === 'RequestTimeout'

/** The code in S3's description of an error. */
const errorCodeIn = (body: Uint8Array): string | undefined =>
  /<Code>([A-Za-z]{1,60})<\/Code>/.exec(Buffer.from(body.subarray(0, 4_000)).toString())?.[1]

/** `fetch` wraps the error of the connection, sometimes twice. */
function codeOfError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return code && /^[A-Z_]{3,40}$/.test(code) ? code : codeOfError(error.cause)
}

async function wholeBody({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body ?? []) {
    size += piece.length
    if (size > maxAnswerBytes) throw new AnswerTooLong()
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces))
}
