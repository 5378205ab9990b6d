/** The product's name. */
export const product = 'Soma'

/** The site's description. */
export const description = 'Earn money by delivering items along your daily commute route.'

/** A change of it clears local storage and caches, with exceptions (R84). */
export const cacheVersion = '1.2.3'

export const minute = 60_000

/** Milliseconds (R58, R81, R82, R83, R99). */
export const times = {
  guestRecord: 24 * 60 * 60 * 1000,
  guestRedirect: 2_000,
  bannerDelay: 500,
  bannerDismissal: 300,
  toast: 5_000,
  /** What cannot be undone leaves this much later, so that it still can (R99). */
  undo: 10_000,
  updateCheck: 60 * 60 * 1000,
} as const

/** Rows on a page of an admin table (R85). */
export const pageSize = 10
