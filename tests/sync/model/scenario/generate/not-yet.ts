/** What the scenarios can do or check beyond the first edition of sync. */
const upcoming = [
  'gateway',
  'path fails',
  'database restarts',
  'newer server',
  'open room',
  'restore',
  'evict',
  'hint',
  'set clock',
  'small pages',
  'burst',
  'freeze',
  'parking by time',
  'guest records',
  'taken back',
  'lists fail alone',
  'rows of others',
  'photos collected',
] as const
export type Upcoming = (typeof upcoming)[number]

/**
 * Events that are not drawn and checks that are not made, because a promise they test does not hold yet.
 * Each names that promise. `MODEL_ALSO` (names with commas between, or `all`) includes them for one run.
 */
const notYet: readonly Upcoming[] = [
  // S24, S45, S48, S11: their own small scenarios hold; too few random ones have been run with them.
  'path fails',
  'newer server',
  'open room',
  'photos collected',
]

const also = (process.env.MODEL_ALSO ?? '').split(',')

/** Whether the scenarios include this event or check. */
export const isPromised = (what: Upcoming): boolean =>
  !notYet.includes(what) || also.includes(what) || also.includes('all')
