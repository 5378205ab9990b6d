import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { S3 } from '@aws-sdk/client-s3'
import { workQueue } from '../../limits/work-queue.ts'
import { StorageUnavailable } from '../../ports/photos/storage-problem.ts'
import { bucketOf, type Send } from './bucket.ts'
import { describeProblem, type Failure, failureOf } from './describe-problem.ts'
import type { ObjectStorageSettings } from './settings.ts'
import { type HealthLog, type HealthTimes, probeBucket, storageHealth } from './storage-health.ts'

/**
 * Milliseconds: until one response begins, and from there to its end; of all three tries of one request, also
 * of one that only looks whether the bucket works.
 */
const defaultPatience = { ofOneTry: 7_000, inAll: 15_000, ofProbe: 5_000 }
export type Patience = typeof defaultPatience

/** Requests under way at once, and those that may wait. Slow reads leave some for writes. */
const parallel = { reads: { running: 64, waiting: 256 }, writes: { running: 32, waiting: 64 } }

type Options = { log?: HealthLog; patience?: Patience; healthTimes?: HealthTimes }

export type ObjectStorageClient = ReturnType<typeof objectStorageClient>

/**
 * One bucket. What fails for a moment is tried again: each request may be repeated. Once one has failed, the
 * next waits until the bucket is known to work, and none is made while it does not. Every method throws
 * `StorageUnavailable`. Refusal: unavailable, when too many requests wait.
 */
export function objectStorageClient(
  settings: ObjectStorageSettings,
  { log, patience = defaultPatience, healthTimes }: Options = {},
) {
  const reads = workQueue(parallel.reads.running, parallel.reads.waiting)
  const writes = workQueue(parallel.writes.running, parallel.writes.waiting)
  let opening: Promise<S3> | undefined

  const sendWithin =
    (timeout: number): Send =>
    async (action, request) => {
      opening ??= openS3(settings, patience.ofOneTry)
      const s3 = await opening
      try {
        return await request(s3, { abortSignal: AbortSignal.timeout(timeout) })
      } catch (error) {
        const failure = failureOf(action, error)
        if (isMissingObject(failure)) return undefined
        throw new StorageUnavailable(describeProblem(settings, failure), error)
      }
    }

  const probe = () => probeBucket(bucketOf(settings.bucket, sendWithin(patience.ofProbe)))
  const health = storageHealth(probe, log, healthTimes)

  const send: Send = (action, request) => {
    const queued = action === 'read from' || action === 'list' ? reads : writes
    return queued(async () => {
      await health.expectSound()
      try {
        return await sendWithin(patience.inAll)(action, request)
      } catch (error) {
        health.suspect()
        throw error
      }
    })
  }

  return { ...bucketOf(settings.bucket, send), probe, problem: health.problem }
}

/** A server that returns 404 for a write is no object storage. The response to a HEAD has no code but 404. */
const isMissingObject = ({ action, status, code }: Failure): boolean =>
  code === 'NoSuchKey' || (action === 'read from' && status === 404 && code !== 'NoSuchBucket')

/** Sets everything that the SDK would otherwise read from AWS variables and files. */
async function openS3(
  { endpoint, region, accessKey, secretKey }: ObjectStorageSettings,
  ofOneTry: number,
): Promise<S3> {
  // The operator cannot act on the SDK's warning about future Node versions.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true'
  // Loaded only here: it takes 0.2 s and 20 MB, which a server with photos on disk does not need.
  const { S3 } = await import('@aws-sdk/client-s3')
  const agent = { maxSockets: parallel.reads.running + parallel.writes.running + 1 }
  const s3 = new S3({
    endpoint,
    forcePathStyle: true,
    region,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    maxAttempts: 3,
    retryMode: 'standard',
    defaultsMode: 'standard',
    // Other storages do not know AWS's newer checksums. The signature already covers the bytes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    disableS3ExpressSessionAuth: true,
    authSchemePreference: ['aws.auth#sigv4'],
    requestHandler: {
      requestTimeout: ofOneTry,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
  })
  s3.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args)
      const response = result.response as { body: Readable }
      response.body = Readable.from([await wholeBody(response.body, ofOneTry)])
      return result
    },
    // Inside the tries: a response that breaks off is asked for again.
    { step: 'deserialize', priority: 'low' },
  )
  return s3
}

async function wholeBody(body: Readable, timeout: number): Promise<Buffer> {
  const timer = setTimeout(() => body.destroy(new BrokenResponse()), timeout)
  try {
    return await buffer(body)
  } catch (error) {
    throw new BrokenResponse({ cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** Has a name that the SDK retries. */
class BrokenResponse extends Error {
  override readonly name = 'TimeoutError'
  constructor(options?: ErrorOptions) {
    super('The response broke off', options)
  }
}
