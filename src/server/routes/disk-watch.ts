import type { Repo } from '../ports/repo.ts'

/** PostgreSQL's code for a full disk, and the operating system's. */
const fullDisk = ['53100', 'ENOSPC']

/**
 * Milliseconds for which a failed write counts. Then the server is ready again, because only requests write and
 * show whether the disk still is full.
 */
const remembered = 5_000

export type DiskWatch = ReturnType<typeof diskWatch>

/**
 * Remembers that a write failed because the database's disk is full: reads still work then, so a check by
 * reading would not notice. `repo`: the watched repo.
 */
export function diskWatch(watched: Repo) {
  let failedAt = Number.NEGATIVE_INFINITY
  const watch = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (saysFull(error)) failedAt = performance.now()
      throw error
    }
  }
  const { readAtReplica } = watched
  const repo: Repo = {
    ...watched,
    transaction: (work) => watch(watched.transaction(work)),
    read: (work) => watch(watched.read(work)),
    ...(readAtReplica && { readAtReplica: (work) => watch(readAtReplica(work)) }),
  }
  return { repo, isFull: () => performance.now() - failedAt < remembered }
}

function saysFull(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && fullDisk.includes(`${at.code}`)) return true
  return false
}
