import { Refusal } from '#domain/errors.ts'
import { TooManyAttempts } from './rate-limits.ts'

/** Uploads that arrive at once: from one address, and in all. */
const defaultUploadSlots = { ofOneAddress: 6, inAll: 64 }

/** Seconds after which one who has too many under way may try again. */
const retryAfterSeconds = 5

/**
 * Counts uploads under way. One address cannot take every place: with its own taken it is told to
 * wait, while others still get in.
 */
export function uploadSlots({ ofOneAddress, inAll } = defaultUploadSlots) {
  const underWay = new Map<string, number>()
  let all = 0
  return {
    /** ResponseOf the function that frees the place. Refusals: too-many, unavailable. */
    take(address: string): () => void {
      const theirs = underWay.get(address) ?? 0
      if (theirs >= ofOneAddress) throw new TooManyAttempts(retryAfterSeconds)
      if (all >= inAll) throw new Refusal('unavailable')
      underWay.set(address, theirs + 1)
      all++
      return () => {
        all--
        const left = (underWay.get(address) ?? 1) - 1
        if (left > 0) underWay.set(address, left)
        else underWay.delete(address)
      }
    },
  }
}
