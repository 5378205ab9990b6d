import { fitOf, guideOf, type PriceFit } from '#domain/price-guide.ts'
import { minute } from '#domain/product.ts'
import type { Commute } from '#domain/users/commute.ts'
import type { User } from '#domain/users/user.ts'
import { driversOnWay } from '#domain/users/way-drivers.ts'
import type { PriceGuide, WayDrivers } from '#domain/way-guide.ts'
import { type Distance, distancesOf } from '#domain/zones/roads.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import type { ApprovedOffer } from '../../ports/stores/delivery-stores.ts'

/** Offers of the same way count for so many milliseconds, and at most so many of them. */
const recent = { within: 60 * 24 * 60 * minute, limit: 1_000 }
/** The price of a kilometre follows from the newest jobs, at most so many. */
const mostCompared = 10_000
const mostDrivers = 10_000
/** Fewer drivers are read anew each time, so that a new commute counts at once. */
const manyDrivers = 100
/** Milliseconds for which what was read from many rows is cached. */
const keptFor = 10 * minute

type Way = { from: string; to: string }
type Guide = { guide: PriceGuide | null; drivers?: WayDrivers }
/** `byKm`: of everybody's jobs. */
type Costs = { jobs: ApprovedOffer[]; distance: Distance; byKm: PriceFit | undefined }
type Driving = { ID: string; commutes: Commute[] }[]

/**
 * Answers what a way usually costs (R168), from the offers of others for the same way, else by its kilometres; and how many
 * drivers go it (R170). All jobs and all drivers' commutes are cached for ten minutes where there are many.
 */
export function createPriceGuides({ clock, options }: Pick<Ports, 'clock' | 'options'>) {
  // Too few jobs are not cached: the next job may make them enough.
  const costs = keeping(clock, ({ byKm }: Costs) => byKm !== undefined)
  const driving = keeping(clock, (drivers: Driving) => drivers.length >= manyDrivers)

  const readCosts = async ({ deliveries, zones }: Stores): Promise<Costs> => {
    const [jobs, all] = await Promise.all([deliveries.approvedOffers(mostCompared), zones.list()])
    const distance = distancesOf(all)
    return { jobs, distance, byKm: fitOf(measured(jobs, distance), options.minOffer) }
  }

  return async (stores: Stores, way: Way, user: User | undefined): Promise<Guide> => {
    const since = new Date(clock() - recent.within).toISOString()
    const route = { pickupZone: way.from, dropoffZone: way.to, since }
    const onWay = await stores.deliveries.approvedOffers(recent.limit, route)
    const { jobs, distance, byKm } = await costs(() => readCosts(stores))
    const drivers = await driving(() => stores.users.commutes(mostDrivers))
    const others = drivers.filter(({ ID }) => ID !== user?.ID).map(({ commutes }) => commutes)
    const found = driversOnWay(distance, others, way)
    const isTheirs = ofPerson(user)
    const guide = guideOf(onWay.filter((job) => !isTheirs(job)).map(pricedJob)) ?? byKilometres()
    return {
      guide: guide ?? null,
      ...(found.morning + found.evening > 0 ? { drivers: found } : {}),
    }

    function byKilometres(): PriceGuide | undefined {
      const km = distance(way.from, way.to)
      if (!Number.isFinite(km)) return undefined
      if (!jobs.some(isTheirs)) return byKm?.(km)
      const ofOthers = jobs.filter((job) => !isTheirs(job))
      return fitOf(measured(ofOthers, distance), options.minOffer)?.(km)
    }
  }
}

/** Whether an offer is this person's own, also one they made as a guest. */
const ofPerson =
  (user: User | undefined) =>
  ({ senderId, senderPhone }: ApprovedOffer): boolean =>
    user !== undefined && (senderId === user.ID || senderPhone === user.phone_number)

/** A guest is known by their number, as is an account. */
const pricedJob = ({ senderPhone, offer }: ApprovedOffer) => ({ sender: senderPhone, offer })

/** The jobs whose way has a known length. */
const measured = (jobs: readonly ApprovedOffer[], distance: Distance) =>
  jobs
    .map((job) => ({ ...pricedJob(job), km: distance(job.pickupZone, job.dropoffZone) }))
    .filter(({ km }) => Number.isFinite(km))

/** Caches a value that is worth it for ten minutes. */
function keeping<T>(clock: Ports['clock'], isWorth: (value: T) => boolean) {
  let kept: { at: number; value: T } | undefined
  return async (read: () => Promise<T>): Promise<T> => {
    const now = clock()
    if (kept && now >= kept.at && now - kept.at < keptFor) return kept.value
    const value = await read()
    kept = isWorth(value) ? { at: now, value } : undefined
    return value
  }
}
