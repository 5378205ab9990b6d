import { randomBytes } from 'node:crypto'
import { type StorageProblem, StorageUnavailable } from '../../ports/photos/storage-problem.ts'
import type { Log } from '../../ports/ports.ts'
import type { bucketOf } from './bucket.ts'

/** Milliseconds for which the result of a probe counts. */
const defaultTimes = { sound: 30_000, problem: 5_000 }
export type HealthTimes = typeof defaultTimes

export type HealthLog = Pick<Log, 'warn' | 'info'>
const noLog: HealthLog = { warn: () => undefined, info: () => undefined }

/** Probes whether the bucket takes photos, and logs a change. */
export function storageHealth(
  probe: () => Promise<StorageProblem | undefined>,
  log = noLog,
  times = defaultTimes,
) {
  let known: StorageProblem | undefined
  let knownUntil = 0
  let isSuspect = false
  let underWay: Promise<StorageProblem | undefined> | undefined

  async function look() {
    const found = await probe()
    if (found && found.line !== known?.line)
      log.warn({}, `${found.line} Uploads are answered with 503 until that is over.`)
    if (known && !found) log.info({}, 'The object storage takes photos again.')
    known = found
    knownUntil = performance.now() + (found ? times.problem : times.sound)
    isSuspect = false
    underWay = undefined
    return found
  }

  /** Why the bucket takes no photos; probed again after 30 seconds, or five while there is a problem. */
  async function problem(): Promise<StorageProblem | undefined> {
    if (!isSuspect && performance.now() < knownUntil) return known
    underWay ??= look()
    return underWay
  }

  return {
    problem,
    /** Called when a request failed: the next check probes again. */
    suspect() {
      if (!known) isSuspect = true
    },
    /** Throws `StorageUnavailable` while the bucket has a known problem. */
    async expectSound(): Promise<void> {
      const found = known || isSuspect ? await problem() : undefined
      if (found) throw new StorageUnavailable(found)
    },
  }
}

/** Writes, reads, lists and deletes a small object. Returns the first problem, or `undefined`. */
export async function probeBucket(
  bucket: ReturnType<typeof bucketOf>,
): Promise<StorageProblem | undefined> {
  const key = `probe/${randomBytes(8).toString('hex')}`
  const bytes = Buffer.from('Soma writes, reads and deletes this to see whether it can.')
  try {
    await bucket.put(key, bytes)
    const read = await bucket.get(key)
    for await (const _ of bucket.list('probe/', 1)) break
    await bucket.remove(key)
    if (read && bytes.equals(read.bytes)) return undefined
    const line = 'The object storage gives back other bytes than were written to it.'
    return { reason: 'storage failing', line, isPermanent: true }
  } catch (error) {
    if (error instanceof StorageUnavailable) return error.problem
    throw error
  }
}
