/** Protections that are off: `protections.test.ts` puts each in the way of its part of sync. */
export const off = {
  rollBack: false,
  papers: false,
  patience: false,
  photos: false,
  noAnswer: false,
  pause: false,
  askToSignIn: false,
  names: false,
  watchdog: false,
  hangingUp: false,
  handOver: false,
  day: false,
  alias: false,
}
