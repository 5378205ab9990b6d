import type { PriceGuide } from './way-guide.ts'

/** An offer in cedis, and who made it. */
export type PricedJob = { sender: string; offer: number }

/** Fewer jobs or senders would reveal what one person pays. */
const enough = { jobs: 5, senders: 3 }
/** Jobs needed to tell what a kilometre costs. */
const enoughToFit = 30

/** The guide from offers for the same way; nothing where they are too few (R168). */
export function guideOf(jobs: readonly PricedJob[]): PriceGuide | undefined {
  if (jobs.length < enough.jobs || sendersOf(jobs) < enough.senders) return undefined
  const offers = sorted(jobs.map(({ offer }) => offer))
  return {
    median: rounded(quantile(offers, 0.5)),
    low: rounded(quantile(offers, 0.25)),
    high: rounded(quantile(offers, 0.75)),
    count: jobs.length,
  }
}

/** What a way costs by its kilometres. */
export type PriceFit = (km: number) => PriceGuide

/**
 * The line of least squares through offers by their kilometres, and the middle half around it (R168). Nothing if there are
 * too few offers, or all are of one length. `least`: cedis; no guide is below it.
 */
export function fitOf(
  jobs: readonly (PricedJob & { km: number })[],
  least: number,
): PriceFit | undefined {
  const count = jobs.length
  if (count < enoughToFit || sendersOf(jobs) < enough.senders) return undefined
  const sum = (of: (job: PricedJob & { km: number }) => number) =>
    jobs.reduce((all, job) => all + of(job), 0)
  const meanKm = sum(({ km }) => km) / count
  const meanOffer = sum(({ offer }) => offer) / count
  const spread = sum(({ km }) => (km - meanKm) ** 2)
  if (spread < 1e-6) return undefined
  const slope = sum(({ km, offer }) => (km - meanKm) * (offer - meanOffer)) / spread
  const at = (km: number) => meanOffer + slope * (km - meanKm)
  const around = sorted(jobs.map(({ km, offer }) => offer - at(km)))
  const [below, above] = [quantile(around, 0.25), quantile(around, 0.75)]
  return (km) => {
    const near = (more: number) => rounded(Math.max(least, at(km) + more))
    return { median: near(0), low: near(Math.min(0, below)), high: near(Math.max(0, above)), count }
  }
}

const sendersOf = (jobs: readonly PricedJob[]) => new Set(jobs.map(({ sender }) => sender)).size

const sorted = (numbers: number[]) => numbers.sort((a, b) => a - b)

/** The quantile of sorted numbers, interpolated between the two nearest. `share`: 0 to 1. */
function quantile(numbers: readonly number[], share: number): number {
  const place = share * (numbers.length - 1)
  const [low = 0, high = low] = numbers.slice(Math.floor(place), Math.floor(place) + 2)
  return low + (high - low) * (place % 1)
}

/** To half a cedi, so that nobody's exact offer is revealed. */
const rounded = (cedis: number) => Math.round(cedis * 2) / 2
