import {
  act,
  all,
  calls,
  finish,
  guest,
  lasting,
  look,
  minute,
  pass,
  phone,
  repair,
  setClock,
  small,
  year,
} from '../../../../sync/model/regressions/steps.ts'
import type { Scenario } from '../../../../sync/model/scenario/generate/scenarios.ts'

/** Scenarios of one event alone, beside those of the fast tier. */
export const events: Record<string, Scenario> = {
  'S12: a gateway’s 404 refuses no pick-up': small('driver one', [
    calls('gateway 404', 3),
    act,
    act,
    pass(130),
  ]),
  'S12: a gateway’s 401 ends no session': small('driver one', [
    calls('gateway 401', 2),
    act,
    pass(130),
  ]),
  'S12: a gateway’s page of 403 takes no row off the phone': small('a guest', [
    guest,
    pass(30),
    lasting('gateway page 403', 60),
    look(90),
  ]),
  'S36: a gateway’s 404 takes no row off the phone': small('a guest', [
    guest,
    pass(30),
    lasting('gateway 404', 60),
    look(90),
  ]),
  'S24: where zones fail for two hours the other lists go on': small('driver one', [
    lasting('portal', 120 * minute, '/zones'),
    look(90),
  ]),
  'S24: where zones are answered by a portal, jobs of others are shown in time': small(
    'driver one',
    [look(15)],
    { listFails: 0 },
  ),
  'S24: where items are not answered, jobs of others are shown in time': small(
    'driver one',
    [look(15)],
    { listFails: 1 },
  ),
  'S9: where uploads fail for two minutes an accept gets through': small('driver one', [
    lasting('torn', 2 * minute, '/images/upload'),
    guest,
    act,
    pass(700),
  ]),
  'S1: a contested pick-up whose answer is lost opens one dispute': small('ama', [
    calls('answer lost', 2),
    finish(1),
    { do: 'look', ...all },
    pass(130),
  ]),
  'S1: a report of money not received whose answer is lost opens one dispute (R171)': small(
    'driver one',
    [calls('answer lost', 2), finish(7), { do: 'look', ...all }, pass(130)],
    { startsAt: 'Accepted' },
  ),
  'S16: a database that restarts for 20 s parks nothing': small('driver one', [
    { do: 'database restarts', seconds: 20, ...all },
    act,
    look(90),
  ]),
  'S18: a row whose status is of a newer server stops nothing else': small('driver one', [
    { do: 'newer server', fate: 'newer rows', seconds: 60, ...all },
    look(90),
  ]),
  'S24: a room that cannot be read is asked for with growing pauses': small(
    'driver one',
    [
      look(5),
      { do: 'open room', phone, pick: 0, ...all },
      { do: 'open room', phone, pick: 1, ...all },
      { do: 'newer server', fate: 'newer rows', seconds: 120, ...all },
      look(90),
    ],
    { startsAt: 'Accepted' },
  ),
  'S24: a row that cannot be read is asked for with growing pauses': small('a guest', [
    guest,
    guest,
    pass(5),
    { do: 'newer server', fate: 'newer rows', seconds: 120, ...all },
    look(90),
  ]),
  'S9: what a newer server does not take is sent after the update': small('driver one', [
    { do: 'newer server', fate: 'newer only', seconds: 60, ...all },
    act,
    look(90),
  ]),
  'S7: a refusal for a reason of a newer server is shown': small('driver one', [
    { do: 'newer server', fate: 'newer reasons', seconds: 60, ...all },
    act,
    act,
    { do: 'act', phone, pick: 0, right: false, ...all },
    look(90),
  ]),
  'S10: what a restored server lost is not shown as if it were there': small('a guest', [
    { do: 'back up', ...all },
    guest,
    pass(30),
    { do: 'restore', ...all },
    look(90),
  ]),
  'S10: rows of a restored server are those it has': small('driver one', [
    { do: 'back up', ...all },
    { do: 'elsewhere', pick: 40, ...all },
    look(15),
    { do: 'restore', ...all },
    { do: 'elsewhere', pick: 39, ...all },
    look(90),
  ]),
  'S32: a hint of no network hides nothing that left': small('a guest', [
    { do: 'hint', phone, offline: true, seconds: 130, ...all },
    lasting('answer lost', 60, '/guest/deliveries'),
    guest,
    pass(5),
    repair('discard'),
    pass(700),
  ]),
  'R58: a clock a year ahead for a minute drops no guest’s record': small('a guest', [
    guest,
    pass(30),
    setClock(year, false, minute),
    look(90),
  ]),
  'S9: a clock set back a year between two openings holds nothing up': small('driver one', [
    calls('503 for a while', 1),
    act,
    setClock(-year, true),
    pass(700),
  ]),
  'S24: a clock set back an hour stops no polling': small('driver one', [
    look(15),
    setClock(-60 * minute, false),
    { do: 'elsewhere', pick: 0, ...all },
    look(90),
  ]),
  'S1: a burst of 40 requests has 40 effects': small('a guest', [
    { do: 'tab', phone, what: 'open', ...all },
    { do: 'burst', phone, count: 40, pace: 4 },
    calls('answer lost', 9),
    pass(130),
  ]),
  'S48: a job that no answer could be read of comes back after an update, though another list lost it':
    small(
      'driver one',
      [
        { do: 'newer server', fate: 'newer rows', seconds: 20, pace: 1 },
        { do: 'finish', phone, pick: 33, pace: 0 },
      ],
      { startsAt: 'Delivered' },
    ),
  'R101: a job that its driver gave back on another phone is on offer to them again': {
    ...{ seed: 553100389, owners: ['ama', 'driver one'], eventStream: true },
    ...{ withoutLocks: false, ownIds: false, smallPages: false },
    steps: [
      { do: 'elsewhere', pick: 14, pace: 2 },
      { do: 'finish', phone: 0, pick: 24, pace: 4 },
    ],
  },
  'R113: drivers hear of a job whose sender was rated': {
    ...{ seed: 1110319155, owners: ['a guest', 'ama', 'driver one'], eventStream: true },
    ...{ withoutLocks: false, ownIds: false, smallPages: false, startsAt: 'Delivered' },
    steps: [
      { do: 'act', phone: 1, pick: 38, right: false, pace: 4 },
      { do: 'elsewhere', pick: 36, pace: 100 },
      { do: 'finish', phone: 1, pick: 10, pace: 3 },
    ],
  },
  'S9: after an hour in which nobody reaches the server everything is sent': {
    ...{ seed: 31, owners: ['a guest', 'ama', 'driver one'], eventStream: true },
    ...{ withoutLocks: false, ownIds: false, smallPages: false, startsAt: 'Accepted' },
    steps: [
      { do: 'act', phone: 1, pick: 3, right: true, pace: 3 },
      { do: 'outage', fate: 'portal', seconds: 3_600, pace: 3 },
      { do: 'request', phone: 0, mode: 'guest', pace: 100 },
      { do: 'finish', phone: 2, pick: 10, pace: 3 },
    ],
  },
  'S82: a push message brings its row': {
    ...{ seed: 32, owners: ['ama', 'driver one'], eventStream: false },
    ...{ withoutLocks: false, ownIds: false, smallPages: false, startsAt: 'Picked Up' },
    steps: [
      { do: 'finish', phone: 1, pick: 4, pace: 100 },
      { do: 'push', phone: 0, pick: 0, pace: 3 },
      { do: 'tab', phone: 0, what: 'look', pace: 100 },
    ],
  },
}
