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
/** Fewer than these are read anew, so that a new one counts at once. */
const many = { jobs: 30, drivers: 100 }
/** Milliseconds for which what was read from many rows is cached. */
const keptFor = 10 * minute

type Way = { from: string; to: string }
type Guide = { guide: PriceGuide | null; drivers?: WayDrivers }
/** `byKm`: of everybody's jobs. */
type Costs = { jobs: ApprovedOffer[]; distance: Distance; byKm: PriceFit | undefined }
type Driving = { ID: string; commutes: Commute[] }[]

/**
 * Answers what a way usually costs (R168), from the offers of others for the same way, else by its kilometres; and how many
 * drivers go it (R170). All jobs and all drivers' commutes are cached for ten minutes. Few jobs are not; few commutes only
 * until an account changes, since finding them reads every account.
 */
export function createPriceGuides({
  repo,
  clock,
  options,
}: Pick<Ports, 'repo' | 'clock' | 'options'>) {
  const costs = keeping<Costs>(clock)
  const driving = keeping<Driving>(clock)
  const forgetFew = () => driving.forgetIf((drivers) => drivers.length < many.drivers)
  repo.listen(({ about }) => about === 'me' && forgetFew(), forgetFew)

  const readCosts = async ({ deliveries, zones }: Stores): Promise<Costs> => {
    const [jobs, all] = await Promise.all([deliveries.approvedOffers(mostCompared), zones.list()])
    const distance = distancesOf(all)
    return { jobs, distance, byKm: fitOf(measured(jobs, distance), options.minOffer) }
  }

  return async (stores: Stores, way: Way, user: User | undefined): Promise<Guide> => {
    const since = new Date(clock() - recent.within).toISOString()
    const route = { pickupZone: way.from, dropoffZone: way.to, since }
    const onWay = await stores.deliveries.approvedOffers(recent.limit, route)
    const { jobs, distance, byKm } = await costs.get(() => readCosts(stores))
    costs.forgetIf((kept) => kept.jobs.length < many.jobs)
    const drivers = await driving.get(() => stores.users.commutes(mostDrivers))
    const others = drivers.filter(({ ID }) => ID !== user?.ID).map(({ commutes }) => commutes)
    const found = driversOnWay(distance, others, way)
    const isTheirs = ofPerson(user)
    const guide = guideOf(priced(onWay.filter((job) => !isTheirs(job)))) ?? byKilometres()
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

/**
 * Whether an offer is this person's own, also one they made as a guest. A number that is not confirmed may be somebody
 * else's, whose offers would show by what is missing.
 */
const ofPerson =
  (user: User | undefined) =>
  ({ senderId, senderPhone }: ApprovedOffer): boolean =>
    user !== undefined &&
    (senderId === user.ID || (user.Verified && senderPhone === user.phone_number))

/**
 * With who made each: an account whatever numbers it had, and a guest by their number, which is the account's that asked
 * with it too.
 */
function priced<T extends ApprovedOffer>(jobs: readonly T[]): (T & { sender: string })[] {
  const accounts = new Map(
    jobs.flatMap(({ senderId, senderPhone }) => (senderId ? [[senderPhone, senderId]] : [])),
  )
  const senderOf = ({ senderId, senderPhone }: ApprovedOffer) =>
    senderId ?? accounts.get(senderPhone) ?? senderPhone
  return jobs.map((job) => ({ ...job, sender: senderOf(job) }))
}

/** The jobs whose way has a known length. */
const measured = (jobs: readonly ApprovedOffer[], distance: Distance) =>
  priced(jobs)
    .map((job) => ({ ...job, km: distance(job.pickupZone, job.dropoffZone) }))
    .filter(({ km }) => Number.isFinite(km))

/** Caches a value for ten minutes. Calls that come while it is read wait for the same one. */
function keeping<T>(clock: Ports['clock']) {
  let kept: { at: number; value: Promise<T> } | undefined
  const forget = (own: typeof kept) => {
    if (kept === own) kept = undefined
  }
  return {
    get(read: () => Promise<T>): Promise<T> {
      const now = clock()
      if (kept && now >= kept.at && now - kept.at < keptFor) return kept.value
      const own = { at: now, value: read() }
      kept = own
      own.value.catch(() => forget(own))
      return own.value
    },
    /** Drops the value if this is true of it; also one that is still being read, which may be out of date already. */
    forgetIf(isSo: (value: T) => boolean): void {
      const own = kept
      own?.value.then(
        (value) => isSo(value) && forget(own),
        () => undefined,
      )
    },
  }
}
