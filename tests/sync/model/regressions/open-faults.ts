import type { Scenario } from '../scenario/generate/scenarios.ts'

/** Scenarios that break a promise today. Whoever mends one moves it to `regressions.ts`. */
export const openFaults: Record<string, Scenario> = {
  'rest: a tab whose requests are slow never rests': {
    seed: 1,
    owners: ['driver one'],
    withoutLocks: false,
    eventStream: false,
    ownIds: false,
    smallPages: false,
    steps: [
      {
        do: 'network fault',
        phone: 0,
        fault: { fate: 'slow there', times: 9, only: 'any' },
        pace: 0,
      },
      { do: 'finish', phone: 0, pick: 0, pace: 1 },
      { do: 'request', phone: 1, mode: 'guest', pace: 1 },
      { do: 'pass', seconds: 4000, pace: 4 },
    ],
  },
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
  'S21: an admin asks for their lists three times while a stream is open': {
    seed: 1452780916,
    owners: ['admin', 'driver one'],
    withoutLocks: true,
    eventStream: true,
    ownIds: false,
    smallPages: false,
    steps: [
      { do: 'crash', phone: 2, steps: 33, who: 'tab', pace: 4 },
      { do: 'log in', phone: 2, who: 'newcomer', pace: 4 },
    ],
  },
}
