import { Refusal } from '#domain/errors.ts'
import { TooManyAttempts } from './rate-limits.ts'

/** Concurrent uploads: from one address, which many phones may share, and in total. */
const defaultUploadSlots = { ofOneAddress: 24, inAll: 64 }

/** Seconds after which a caller with too many uploads under way may try again. */
const retryAfterSeconds = 5

/** Counts uploads under way. One address cannot take every place: others still get in. */
export function uploadSlots({ ofOneAddress, inAll } = defaultUploadSlots) {
  const underWay = new Map<string, number>()
  let all = 0
  return {
    /** Takes a place and returns the function that frees it. Refusals: too-many, unavailable. */
    take(address: string): () => void {
      const own = underWay.get(address) ?? 0
      if (own >= ofOneAddress) throw new TooManyAttempts(retryAfterSeconds, 'uploads-under-way')
      if (all >= inAll) throw new Refusal('unavailable')
      underWay.set(address, own + 1)
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
