import { note } from '../database/device/diagnostics.ts'
import { deleteState, putState } from '../database/device/state.ts'
import type { SyncContext } from '../platform/context.ts'

/** Written this far apart, milliseconds: each write wakes whoever looks. */
const apart = 400

/** Stores how far a file has gone up, for every tab of this phone to see; `end` forgets it (S27). */
export function createUploadProgress({ db, clock }: SyncContext, file: string) {
  let last = 0
  let writing: PromiseLike<unknown> = Promise.resolve()
  const write = (work: () => PromiseLike<unknown>) => {
    // Progress that cannot be shown must not stop what progresses.
    writing = writing
      .then(work)
      .then(undefined, (error) => note('The progress of an upload was not stored', { error }))
  }
  return {
    /** `share`: from 0 to 1. */
    note(share: number) {
      const now = clock.now()
      if (now - last < apart && share < 1) return
      last = now
      write(() => putState(db, `upload:${file}`, share))
    },
    async end() {
      write(() => deleteState(db, `upload:${file}`))
      await writing
    },
  }
}
