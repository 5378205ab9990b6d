import { randomBytes } from 'node:crypto'
import type { Log } from '../../ports/ports.ts'
import type { ObjectStorageClient } from './client.ts'
import { type StorageProblem, StorageUnavailable } from './storage-problem.ts'

/** Milliseconds: for how long a finding counts, and what one request of the probe may take. */
const defaultTimes = { sound: 30_000, problem: 5_000, request: 5_000 }
export type HealthTimes = typeof defaultTimes

/** Knows whether the bucket takes photos, and says in the log when that changes. */
export function storageHealth(
  client: Pick<ObjectStorageClient, 'probe'>,
  log: Pick<Log, 'warn' | 'info'>,
  times = defaultTimes,
) {
  let known: StorageProblem | undefined
  let knownUntil = 0
  let underWay: Promise<StorageProblem | undefined> | undefined

  async function look() {
    const found = await probeBucket(client, times.request)
    if (found && found.line !== known?.line)
      log.warn({}, `${found.line} Uploads are answered with 503 until that is over.`)
    if (known && !found) log.info({}, 'The object storage takes photos again.')
    known = found
    knownUntil = performance.now() + (found ? times.problem : times.sound)
    underWay = undefined
    return found
  }

  return {
    /** What keeps the bucket from taking photos; looked for again every 30 seconds, or five while there is something. */
    async problem(): Promise<StorageProblem | undefined> {
      if (performance.now() < knownUntil) return known
      underWay ??= look()
      return underWay
    },
    /** Called when a request failed: the next who asks hears of now. */
    suspect() {
      if (!known) knownUntil = 0
    },
  }
}

/**
 * Does with one small object everything that photos need: write, read, list and delete. Returns what is
 * in the way; `undefined` when nothing is. `timeout`: milliseconds of one request.
 */
export async function probeBucket(
  { probe }: Pick<ObjectStorageClient, 'probe'>,
  timeout = defaultTimes.request,
): Promise<StorageProblem | undefined> {
  const key = `probe/${randomBytes(8).toString('hex')}`
  const body = Buffer.from('Soma writes, reads and deletes this to see whether it can.')
  try {
    await probe({ method: 'PUT', key, body }, timeout)
    const read = await probe({ method: 'GET', key }, timeout)
    const query = { 'list-type': '2', prefix: 'probe/', 'max-keys': '1' }
    await probe({ method: 'GET', key: '', query }, timeout)
    await probe({ method: 'DELETE', key }, timeout)
    if (body.equals(read.body)) return undefined
    const line = 'The object storage gives back other bytes than were written to it.'
    return { reason: 'storage failing', line, isPermanent: true }
  } catch (error) {
    if (error instanceof StorageUnavailable) return error.problem
    throw error
  }
}
