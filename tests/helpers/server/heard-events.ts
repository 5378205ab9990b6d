import { v7 } from 'uuid'
import type { Repo } from '#server/ports/repo.ts'
import type { PostgresRepo } from '#server/postgres/open-postgres.ts'

/**
 * Resolves once events are heard. PostgreSQL hears them by a connection that opens after `listen` returns, and says by
 * `onGap` that it is open; what is published before is lost. IndexedDB hears them at once.
 */
export async function untilListening(repo: Repo & Partial<Pick<PostgresRepo, 'pool'>>) {
  if (!repo.pool) return
  await new Promise<void>((resolve) => {
    const stop = repo.listen(
      () => undefined,
      () => {
        stop()
        resolve()
      },
    )
  })
}

/** Resolves once `at` has heard everything that `from` has published. */
export async function untilHeard(from: Repo, at = from) {
  const id = v7()
  const heard = new Promise<void>((resolve) => {
    const stop = at.listen(
      (event) => {
        if (event.id !== id) return
        stop()
        resolve()
      },
      () => undefined,
    )
  })
  await from.transaction(({ publish }) => publish({ about: 'items', id, to: [] }))
  await heard
}
