import type { Scenario } from '../../../../sync/model/scenario/generate/scenarios.ts'

/** Scenarios that once broke a promise, shrunk, by what they showed, beside those of the fast tier. */
export const regressions: Record<string, Scenario> = {
  'S19: what a guest asked for on a driver’s phone is the guest’s to report': {
    seed: 1261285076,
    owners: ['driver one'],
    startsAt: 'Accepted',
    steps: [
      { do: 'request', phone: 0, mode: 'guest', pace: 100 },
      { do: 'tab', phone: 0, what: 'open', pace: 100 },
      { do: 'report', phone: 0, pick: 0, pace: 0 },
      { do: 'report', phone: 0, pick: 1, pace: 0 },
    ],
  },
  'S16: what had long waited for a network when its failures began is parked after an hour of them':
    {
      seed: 436113654,
      owners: ['driver one'],
      startsAt: 'Delivered',
      steps: [
        { do: 'cut', phone: 2, pace: 100 },
        { do: 'act', phone: 0, pick: 27, right: true, pace: 1 },
        {
          do: 'network fault',
          phone: 1,
          fault: { fate: '500', times: 90, only: 'says', one: true },
          pace: 1,
        },
        { do: 'pass', seconds: 700, pace: 100 },
      ],
    },
  'S4: a photo of a hand-over is refused with the code that only made sense after a refused pick-up':
    {
      seed: 11,
      owners: ['driver one', 'driver two'],
      eventStream: true,
      steps: [
        {
          do: 'network fault',
          phone: 2,
          fault: { fate: '503 for 2 s', times: 1, only: 'says' },
          pace: 100,
        },
        { do: 'finish', phone: 2, pick: 24, pace: 100 },
        { do: 'finish', phone: 0, pick: 21, pace: 0 },
      ],
    },
  'S4: nothing is reported about a request that was turned down': {
    seed: 1368294327,
    owners: ['a guest', 'ama', 'driver one'],
    ownIds: true,
    steps: [
      { do: 'elsewhere', pick: 37, pace: 0 },
      { do: 'request', phone: 1, mode: 'account', pace: 100 },
      { do: 'report', phone: 1, pick: 8, pace: 3 },
    ],
  },
  'S19: what a guest may no longer open is not the driver’s to report': {
    seed: 1375452415,
    owners: ['driver one'],
    withoutLocks: true,
    eventStream: true,
    startsAt: 'Delivered',
    steps: [
      { do: 'pass', seconds: 130, pace: 100 },
      { do: 'request', phone: 0, mode: 'guest', pace: 100 },
      { do: 'jump', phone: 0, seconds: 90_000, pace: 0 },
      { do: 'report', phone: 2, pick: 31, pace: 0 },
    ],
  },
  'S46: a row that came before the clock was set back leaves with a list that lacks it': {
    seed: 103704311,
    owners: ['admin', 'driver one'],
    steps: [
      { do: 'act', phone: 1, pick: 12, right: true, pace: 100 },
      { do: 'act', phone: 0, pick: 33, right: true, pace: 4 },
      { do: 'jump', phone: 1, seconds: -90_000, pace: 2 },
      { do: 'tab', phone: 1, what: 'kill', pace: 4 },
    ],
  },
  'S50: a list whose newest jobs were taken by events shows older ones': {
    seed: 1107638072,
    owners: ['driver one'],
    eventStream: true,
    ownIds: true,
    smallPages: true,
    steps: [
      { do: 'request', phone: 0, mode: 'account', pace: 100 },
      { do: 'request', phone: 1, mode: 'guest', pace: 1 },
      { do: 'fill', phone: 0, writes: 6, pace: 100 },
      { do: 'act', phone: 2, pick: 7, right: true, pace: 0 },
    ],
  },
  'S53: an acceptance that no list had named yet is lost with a restore, and said': {
    seed: 30,
    owners: ['driver one', 'driver two'],
    startsAt: 'Picked Up',
    steps: [
      { do: 'back up', pace: 100 },
      { do: 'act', phone: 1, pick: 13, right: true, pace: 0 },
      { do: 'restore', pace: 100 },
    ],
  },
  'S53: a job that an event took away is on offer again after a restore': {
    seed: 1685749100,
    owners: ['ama', 'driver one', 'driver two'],
    eventStream: true,
    startsAt: 'Accepted',
    steps: [
      { do: 'back up', pace: 100 },
      { do: 'finish', phone: 2, pick: 1, pace: 100 },
      { do: 'restore', pace: 100 },
    ],
  },
  'S54: the row of a lost action shows that it is lost': {
    seed: 2046679317,
    owners: ['driver one'],
    withoutLocks: true,
    startsAt: 'Picked Up',
    steps: [
      { do: 'back up', pace: 100 },
      { do: 'finish', phone: 2, pick: 8, pace: 1 },
      { do: 'restore', pace: 100 },
    ],
  },
  'S54: a backend that cannot be asked loses nothing that anybody could name': {
    seed: 2112380983,
    owners: ['admin', 'driver one'],
    ownIds: true,
    startsAt: 'Picked Up',
    steps: [
      { do: 'cut', phone: 1, pace: 3 },
      { do: 'back up', pace: 100 },
      { do: 'request', phone: 1, mode: 'account', pace: 1 },
      { do: 'restore', pace: 100 },
    ],
  },
  'S6: the money of a job that its sender cancels is shown as held (R123)': {
    seed: 7,
    owners: ['ama'],
    startsAt: 'Accepted',
    steps: [
      { do: 'end sessions', who: 'ama', pace: 2 },
      { do: 'act', phone: 0, pick: 28, right: true, pace: 0 },
      { do: 'look', pace: 3 },
    ],
  },
  'S6: what a driver did before a cancel is shown as reported late (R124)': {
    seed: 8,
    owners: ['driver one'],
    startsAt: 'Accepted',
    steps: [
      {
        do: 'network fault',
        phone: 0,
        fault: { fate: '503 for a while', times: 9, only: 'says' },
        pace: 100,
      },
      { do: 'act', phone: 0, pick: 0, right: true, pace: 100 },
      { do: 'act', phone: 0, pick: 0, right: true, pace: 100 },
      { do: 'act', phone: 0, pick: 4, right: true, pace: 100 },
      { do: 'cancel', by: 'ama', pace: 100 },
      { do: 'pass', seconds: 15, looking: true, pace: 100 },
      { do: 'look', pace: 100 },
    ],
  },
  'S75: an approval that a repeat after 401 finds done ends as done': {
    seed: 414963438,
    owners: ['ama', 'driver one'],
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
  'S5: a guest’s delivery that is over shows what its guest has reported': {
    seed: 24260323,
    owners: ['ama', 'driver one'],
    steps: [
      { do: 'request', phone: 0, mode: 'guest', pace: 1 },
      { do: 'act', phone: 0, pick: 40, right: true, pace: 3 },
      { do: 'log in', phone: 0, who: 'ama', pace: 1 },
      { do: 'report', phone: 0, pick: 20, pace: 1 },
    ],
  },
}
