import fc from 'fast-check'
import {
  type Fate,
  gatewayFates,
  type NetworkFault,
  newerFates,
  paths,
} from '../../devices/network/faults.ts'

/** Events that are drawn seldom, for each takes long or spoils much. Plain data, as every action. */
export type RareEvent =
  /** PostgreSQL restarts: every call is 503 with `Retry-After: 2` for so many seconds. */
  | { do: 'database restarts'; seconds: number }
  /** A server newer than the app answers for so many seconds. */
  | { do: 'newer server'; fate: Fate; seconds: number }
  /** Nobody reaches the server for so many seconds. */
  | { do: 'outage'; fate: Fate; seconds: number }
  /** A push message about the n-th delivery that this phone holds wakes the worker. */
  | { do: 'push'; phone: number; pick: number }
  /** The database is copied, to be put back by a later `restore`. */
  | { do: 'back up' }
  | { do: 'restore' }
  /** The browser throws the database away; `everything`: the local storage too. */
  | { do: 'evict'; phone: number; everything: boolean }
  /** The browser says for so many seconds that there is, or is not, a network. */
  | { do: 'hint'; phone: number; offline: boolean; seconds: number }
  /** The network comes and goes so many times, and the browser says so each time. */
  | { do: 'flap'; phone: number; times: number }
  /** The clock is set, and set back after `forSeconds`. `closed`: no page is open meanwhile. */
  | { do: 'set clock'; phone: number; seconds: number; forSeconds?: number; closed: boolean }
  /** The person takes a photo and then none of it: another one, or nothing at all. */
  | { do: 'retake'; phone: number }
  /** The person opens the n-th delivery they see; its room stays open. */
  | { do: 'open room'; phone: number; pick: number }
  /** The guest of the n-th delivery opens it on another phone: the token of this one ends. */
  | { do: 'open elsewhere'; pick: number }
  /** So many requests of guests, one after the other. */
  | { do: 'burst'; phone: number; count: number }
  /** The browser stops every page of this phone for so many seconds. */
  | { do: 'freeze'; phone: number; seconds: number }

const phone = fc.nat({ max: 2 })
const as = <D extends RareEvent['do']>(name: D) => fc.constant(name)
const minute = 60
const hour = 60 * minute
const day = 24 * hour
const year = 365 * day
const long = fc.constantFrom(20, 2 * minute, 20 * minute, 2 * hour)
const path = fc.constantFrom(...paths)

/** A proxy answers by itself: one request, or every request for minutes, of one path or of all. */
export const gatewayFault: fc.Arbitrary<NetworkFault> = fc.oneof(
  fc.record({
    fate: fc.constantFrom<Fate>(...gatewayFates),
    times: fc.integer({ min: 1, max: 3 }),
    only: fc.constantFrom('says' as const, 'asks' as const, 'any' as const),
  }),
  fc.record({
    fate: fc.constantFrom<Fate>(...gatewayFates),
    times: fc.constant(1),
    only: fc.constantFrom('says' as const, 'any' as const),
    seconds: fc.constantFrom(20, 2 * minute, 20 * minute),
  }),
  fc.record({
    fate: fc.constantFrom<Fate>(...gatewayFates),
    times: fc.constant(1),
    only: fc.constant('any' as const),
    path,
    seconds: long,
  }),
)

/** One path fails in one way for long, while the rest works. */
export const pathFault: fc.Arbitrary<NetworkFault> = fc.record({
  fate: fc.constantFrom<Fate>(
    'request lost',
    'answer lost',
    'torn',
    '500',
    'portal',
    '429 for a while',
  ),
  times: fc.constant(1),
  only: fc.constant('any' as const),
  path,
  seconds: long,
})

/** The events with their weights. */
export const rareEvents: fc.WeightedArbitrary<RareEvent>[] = [
  { weight: 1, arbitrary: fc.record({ do: as('database restarts'), seconds: fc.constant(20) }) },
  { weight: 2, arbitrary: fc.record({ do: as('open room'), phone, pick: fc.nat({ max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ do: as('retake'), phone }) },
  { weight: 1, arbitrary: fc.record({ do: as('open elsewhere'), pick: fc.nat({ max: 3 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: as('newer server'),
      fate: fc.constantFrom<Fate>(...newerFates),
      seconds: long,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: as('outage'),
      fate: fc.constantFrom<Fate>('request lost', 'portal', 'redirected', '500'),
      seconds: fc.constant(hour),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: as('push'), phone, pick: fc.nat({ max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ do: as('evict'), phone, everything: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: as('hint'),
      phone,
      offline: fc.boolean(),
      seconds: fc.constantFrom(5, 2 * minute, 20 * minute),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: as('flap'), phone, times: fc.integer({ min: 1, max: 6 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        do: as('set clock'),
        phone,
        seconds: fc.constantFrom(-hour, -year, day, year),
        forSeconds: fc.constantFrom(minute, 2 * hour),
        closed: fc.boolean(),
      },
      { requiredKeys: ['do', 'phone', 'seconds', 'closed'] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: as('freeze'), phone, seconds: fc.constantFrom(minute, 5 * minute) }),
  },
]

/** A burst takes as long as several scenarios. */
export const burst: fc.Arbitrary<RareEvent> = fc.record({
  do: as('burst'),
  phone,
  count: fc.constantFrom(16, 20, 60),
})
