import type { Scenario } from '../scenario/generate/scenarios.ts'

/** Scenarios that once broke a promise, shrunk, by what they showed. The slow tier has more. */
export const regressions: Record<string, Scenario> = {
  'S7: what is on its way is not put back by trying it again': {
    seed: 4,
    owners: ['driver one'],
    steps: [
      {
        do: 'network fault',
        phone: 0,
        fault: { fate: 'slow there', times: 9, only: 'says' },
        pace: 100,
      },
      { do: 'request', phone: 0, mode: 'guest', pace: 100 },
      { do: 'repair', phone: 0, pick: 5, how: 'retry', pace: 100 },
    ],
  },
  'S5: a driver who is no longer approved keeps no adverts': {
    seed: 1781187398,
    owners: ['driver one'],
    steps: [{ do: 'review', who: 'driver one', status: 'rejected', pace: 4 }],
  },
  'S9: a clock set back holds nothing up': {
    seed: 1426250558,
    owners: ['driver one'],
    steps: [
      { do: 'network fault', phone: 0, fault: { fate: '500', times: 1, only: 'says' }, pace: 0 },
      { do: 'act', phone: 0, pick: 1, right: true, pace: 100 },
      { do: 'jump', phone: 0, seconds: -90_000, pace: 4 },
    ],
  },
  'S6: what people may do changes what they are shown of what they meant': {
    seed: 1648149482,
    owners: ['driver one'],
    steps: [
      {
        do: 'network fault',
        phone: 0,
        fault: { fate: '503 for a while', times: 1, only: 'says' },
        pace: 100,
      },
      { do: 'act', phone: 0, pick: 15, right: false, pace: 1 },
      { do: 'act', phone: 0, pick: 18, right: true, pace: 2 },
      { do: 'request', phone: 0, mode: 'account', pace: 4 },
      { do: 'act', phone: 0, pick: 20, right: false, pace: 1 },
      { do: 'change phone', phone: 0, pace: 100 },
      { do: 'look', pace: 4 },
    ],
  },
  'S9: what a closed tab had under way is sent by the next one': {
    seed: 1733057089,
    owners: ['ama'],
    withoutLocks: false,
    steps: [
      {
        do: 'network fault',
        phone: 1,
        fault: { fate: 'slow there', times: 2, only: 'says' },
        pace: 4,
      },
      { do: 'change phone', phone: 2, pace: 100 },
      { do: 'tab', phone: 1, what: 'close', pace: 1 },
    ],
  },
  'S9: what waited behind an entry that was taken back leaves once the answer about it is there': {
    seed: 1472227054,
    owners: ['driver one'],
    withoutLocks: true,
    steps: [
      {
        do: 'network fault',
        phone: 1,
        fault: {
          fate: 'gateway 403',
          times: 1,
          only: 'any',
          path: '/driver/deliveries',
          seconds: 7200,
        },
        pace: 100,
      },
      { do: 'act', phone: 0, pick: 35, right: false, pace: 0 },
      { do: 'pass', seconds: 90, looking: true, pace: 1 },
      { do: 'act', phone: 0, pick: 18, right: true, pace: 100 },
      { do: 'repair', phone: 0, pick: 29, how: 'discard', pace: 100 },
    ],
  },
  'S54: what was done about a delivery that a restore lost stays until it is dismissed': {
    seed: 1902509422,
    owners: ['driver one'],
    smallPages: true,
    startsAt: 'Picked Up',
    steps: [
      { do: 'back up', pace: 100 },
      { do: 'finish', phone: 0, pick: 40, pace: 100 },
      { do: 'request', phone: 1, mode: 'guest', pace: 100 },
      { do: 'finish', phone: 1, pick: 21, pace: 0 },
      { do: 'restore', pace: 100 },
    ],
  },
  'S21: a page opened after a login that was killed shows no screens of the admin before': {
    seed: 1452780916,
    owners: ['admin', 'driver one'],
    withoutLocks: true,
    eventStream: true,
    steps: [
      { do: 'crash', phone: 2, steps: 33, who: 'tab', pace: 4 },
      { do: 'log in', phone: 2, who: 'newcomer', pace: 4 },
    ],
  },
  'S71: a page whose requests are slow looks at its queue twice a second and not more often': {
    seed: 1,
    owners: ['driver one'],
    steps: [
      {
        do: 'network fault',
        phone: 0,
        fault: { fate: 'slow there', times: 9, only: 'any' },
        pace: 0,
      },
      { do: 'finish', phone: 0, pick: 0, pace: 1 },
      { do: 'request', phone: 0, mode: 'guest', pace: 1 },
      { do: 'pass', seconds: 4000, pace: 4 },
    ],
  },
}
