import type { Scenario } from '../scenario/generate/scenarios.ts'

/** Scenarios that break a promise today. Whoever mends one moves it to `regressions.ts`. */
export const openFaults: Record<string, Scenario> = {
  'S7: an approval is refused though the server has done it (a repeat after 401)': {
    seed: 414963438,
    owners: ['ama', 'driver one'],
    withoutLocks: false,
    eventStream: false,
    ownIds: false,
    smallPages: false,
    steps: [
      { do: 'act', phone: 2, pick: 25, right: true, pace: 3 },
      { do: 'act', phone: 1, pick: 29, right: true, pace: 2 },
      { do: 'finish', phone: 2, pick: 19, pace: 100 },
      { do: 'log in', phone: 1, who: 'kofi', pace: 100 },
      { do: 'log out', phone: 1, unsent: 'send', pace: 100 },
      { do: 'act', phone: 0, pick: 18, right: true, pace: 100 },
      { do: 'network fault', phone: 2, fault: { fate: '401', times: 1, only: 'says' }, pace: 1 },
      { do: 'finish', phone: 2, pick: 13, pace: 3 },
      { do: 'pass', seconds: 15, looking: true, pace: 100 },
      { do: 'act', phone: 0, pick: 27, right: true, pace: 100 },
      { do: 'look', pace: 1 },
      { do: 'carry', pick: 11, to: 'Accepted', pace: 100 },
    ],
  },
}
