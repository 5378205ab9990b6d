/** Protections that are switched off: `mutations.test.ts` mocks their modules. */
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
