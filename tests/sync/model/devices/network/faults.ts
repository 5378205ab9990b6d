import type { SimulatedTime } from '../clock.ts'
import type { SentRequest } from './sent-request.ts'

/** What a proxy before the server answers by itself during a deploy: its own words, none of our reasons. */
export const gatewayFates = [
  'gateway 401',
  'gateway 403',
  'gateway 404',
  'gateway 405',
  'gateway 410',
  'gateway 413',
  'gateway page 404',
  'gateway page 403',
  'gateway 502',
  'gateway page 511',
] as const

/** What a server newer than the app does to its answers. */
export const newerFates = ['newer rows', 'newer reasons', 'newer only'] as const

/** What can happen to one request. */
export const fates = [
  'request lost',
  'answer lost',
  'doubled',
  'doubled late',
  'slow there',
  'slow back',
  'torn',
  'cut between lines',
  '500',
  '503 for a while',
  '503 for 2 s',
  '429 for a while',
  '408',
  '401',
  'portal',
  'redirected',
  'server killed',
] as const
export type Fate =
  | (typeof fates)[number]
  | (typeof gatewayFates)[number]
  | (typeof newerFates)[number]

/** Parts of addresses: one list, one operation, or the photos. */
export const paths = [
  '/zones',
  '/users/me',
  '/available-deliveries',
  '/driver/deliveries',
  '/sender/deliveries',
  '/guest/deliveries',
  '/images/upload',
  '/accept',
  '/status',
  '/batch',
  '/events',
  '/deliveries/',
] as const

/** Of the next so many requests of a phone. `only`: those that say something, those that ask, or any. */
export type NetworkFault = {
  fate: Fate
  times: number
  only: 'says' | 'asks' | 'any'
  /** Only what is sent under one key, the first it meets; it does not pass before that. */
  one?: true
  /** Only requests whose path contains this. */
  path?: string
  /** It lasts for so many seconds, however many requests it meets; `times` does not count. */
  seconds?: number
}

type Active = NetworkFault & { key?: string; until?: number }

/** The faults that a phone's requests are going to meet. */
export function createFaults(time: SimulatedTime) {
  const faults: Active[] = []

  /** What befalls this request, if anything does. */
  function fateOf({ method, key, path }: SentRequest): Fate | undefined {
    const says = method !== 'GET'
    const now = time.now()
    const fault = faults.find(
      (each) =>
        (each.until === undefined || now < each.until) &&
        (each.path === undefined || path.includes(each.path)) &&
        (each.only === 'any' || (each.only === 'says') === says) &&
        (!each.one || (key !== undefined && (each.key ?? key) === key)),
    )
    if (!fault) return undefined
    if (fault.one) fault.key = key
    if (fault.until === undefined && --fault.times <= 0) faults.splice(faults.indexOf(fault), 1)
    return fault.fate
  }

  return {
    fateOf,
    add: (fault: NetworkFault): void => {
      const { seconds } = fault
      faults.push({ ...fault, until: seconds && time.now() + seconds * 1_000 })
    },
    /** Nothing more befalls anybody, but for what is wrong with one request. */
    clear: (): void => {
      faults.splice(0, faults.length, ...faults.filter(({ one }) => one))
    },
    clearAll: (): void => {
      faults.length = 0
    },
  }
}
