/** The product's name, in its one place. */
export const product = 'Soma'

/** The site's description (spec §1). */
export const description = 'Earn money by delivering items along your daily commute route.'

/** The cache version of spec §9: when it changes, local storage but token and user is cleared. */
export const cacheVersion = '1.2.3'

/** Milliseconds, all from spec §9. */
export const times = {
  roomPoll: 10_000,
  driverPoll: 30_000,
  guestRecord: 24 * 60 * 60 * 1000,
  guestRedirect: 2_000,
  bannerDelay: 500,
  bannerDismissal: 300,
  toast: 5_000,
  updateCheck: 60 * 60 * 1000,
} as const

/** Rows on a page of an admin table (spec §9). */
export const pageSize = 10
