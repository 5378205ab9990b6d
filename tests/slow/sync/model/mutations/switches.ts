/** Protections that are switched off: `mutations.test.ts` mocks their modules. */
export const off = {
  rollBack: false,
  credentials: false,
  retryAfter: false,
  photos: false,
  noResponse: false,
  pause: false,
  markExpired: false,
  affectedLists: false,
  pushedOffers: false,
  watchdog: false,
  closeOnLogout: false,
  handOver: false,
  parkedForADay: false,
  alias: false,
  lost: false,
}
