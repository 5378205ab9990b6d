import type { Repo } from '../ports/repo.ts'

/** PostgreSQL's code for a disk without room, and that of the operating system. */
const fullDisk = ['53100', 'ENOSPC']

/** Milliseconds after a write that failed. Without requests nothing is written, so the next ones must get a chance. */
const remembered = 5_000

export type DiskWatch = ReturnType<typeof diskWatch>

/**
 * Remembers that a write failed because the disk of the database is full: to read one row still works then.
 * `repo` is the repo to watch with.
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
