import { storagePrefix } from '#app/browser/base-url.ts'
import type { PlayerKey, Sky } from '../ui/demo-context.ts'

/** What a tab of the demo keeps for itself: it outlives a reload, and no other tab shares it. */
export const kept = {
  playing: slot<PlayerKey>('playing', ['guest', 'sender', 'driver', 'pending', 'admin']),
  sky: slot<Sky>('sky', ['fine', 'slow', 'lossy', 'off']),
}

function slot<T extends string>(name: string, known: readonly T[]) {
  const key = storagePrefix + name
  return {
    get: (): T | undefined => known.find((each) => each === sessionStorage.getItem(key)),
    set: (value: T) => sessionStorage.setItem(key, value),
  }
}
