import type { Scenario } from '../scenario/generate/scenarios.ts'
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
  small,
} from './steps.ts'

/** Scenarios of one event alone. The slow tier has more. */
export const events: Record<string, Scenario> = {
  'S24: where the own list fails nothing is asked in a loop': small('ama', [
    lasting('500', 20 * minute, '/sender/deliveries'),
    look(90),
  ]),
  'S1: an approval with a tip whose answer is lost pays the driver once': small('ama', [
    calls('answer lost', 2),
    finish(2),
    pass(130),
  ]),
  'S1: a phone whose data the browser threw away starts anew': small('ama', [
    calls('answer lost', 1),
    guest,
    { do: 'evict', phone, everything: true, ...all },
    guest,
    look(15),
  ]),
  'S9: a network that comes and goes six times loses nothing': small('a guest', [
    { do: 'request', phone, mode: 'guest', pace: 3 },
    { do: 'flap', phone, times: 6, ...all },
    pass(30),
  ]),
  'S10: a list of several pages is whole, with changes between them': small(
    'driver one',
    [
      { do: 'elsewhere', pick: 40, pace: 2 },
      { do: 'elsewhere', pick: 39, pace: 2 },
      look(15),
      { do: 'carry', pick: 0, to: 'Accepted', pace: 1 },
      look(90),
    ],
    { smallPages: true },
  ),
  'S17: a page frozen while it sends goes on when it runs again': small('a guest', [
    { do: 'request', phone, mode: 'guest', pace: 2 },
    { do: 'freeze', phone, seconds: 5 * minute, ...all },
    { do: 'tab', phone, what: 'worker', ...all },
    pass(700),
  ]),
  'S16: what fails for a minute is not parked': small('driver one', [
    {
      do: 'network fault',
      phone,
      fault: { fate: '500', times: 8, only: 'says', one: true },
      ...all,
    },
    act,
    pass(130),
  ]),
  'S32: what may have arrived is not said to be taken back': small('driver one', [
    calls('answer lost', 9),
    act,
    pass(1),
    repair('discard'),
    pass(700),
  ]),
  'S38: a session that the server ended leaves no rows': small('driver one', [
    look(15),
    { do: 'end sessions', who: 'driver one', ...all },
    look(90),
  ]),
  'S11: a photo that was taken and not used goes within hours of a page': small('a guest', [
    { do: 'retake', phone, ...all },
    { do: 'tab', phone, what: 'kill', ...all },
    pass(5 * 24 * 60 * minute),
    { do: 'tab', phone, what: 'open', ...all },
    pass(700),
  ]),
  'S22: who logs in while a stream is being opened for a guest is heard for': {
    ...{ seed: 23, owners: ['driver one'], eventStream: true, startsAt: 'Delivered' },
    ...{ withoutLocks: false, ownIds: false, smallPages: false },
    steps: [
      { do: 'finish', phone: 2, pick: 35, pace: 100 },
      { do: 'restart', pace: 3 },
      { do: 'request', phone: 1, mode: 'guest', pace: 100 },
      { do: 'log in', phone: 0, who: 'ama', pace: 100 },
    ],
  },
}
