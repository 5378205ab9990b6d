import type { Tools } from './platform/context.ts'

/** Written this far apart: each write wakes whoever looks. */
const apart = 400

/** Where a photo's progress stands in `meta` while it goes up: a share from 0 to 1. */
export const progressKey = (photo: string) => `upload:${photo}`

/** Notes how far a photo is, in the store, for every tab of this phone to see; `end` forgets it. */
export function noteProgress({ db, clock }: Tools, photo: string) {
  const key = progressKey(photo)
  let last = 0
  let writing: PromiseLike<unknown> = Promise.resolve()
  const write = (work: () => PromiseLike<unknown>) => {
    // Progress that cannot be shown must not stop what progresses.
    writing = writing.then(work).then(undefined, () => {})
  }
  return {
    note(share: number) {
      const now = clock.now()
      if (now - last < apart && share < 1) return
      last = now
      write(() => db.meta.put({ key, value: share }))
    },
    async end() {
      write(() => db.meta.delete(key))
      await writing
    },
  }
}
