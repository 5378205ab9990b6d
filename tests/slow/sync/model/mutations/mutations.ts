import { vi } from 'vitest'
import { Lanes } from '#sync/push/lanes.ts'
import type { Fate } from '../../../../sync/model/devices/network/faults.ts'
import type { Step } from '../../../../sync/model/scenario/generate/scenarios.ts'
import type { Milestone, Owner, Sabotage } from '../../../../sync/model/scenario/simulation.ts'
import { off } from './switches.ts'

/** A scenario that needs a protection, how to switch that off, and the promise whose oracle must report it. */
type Case = {
  protection: string
  caughtBy: string
  owners: Owner[]
  withoutLocks?: boolean
  eventStream?: boolean
  ownIds?: boolean
  smallPages?: boolean
  startsAt?: Milestone
  steps: Step[]
  sabotage?: Sabotage
  switchOff?: () => void
}

const all = { pace: 100 }
const phone = 0
const request = (mode: 'guest' | 'account'): Step => ({ do: 'request', phone, mode, ...all })
const act = (pick: number): Step => ({ do: 'act', phone, pick, right: true, ...all })
const pass = (seconds: number): Step => ({ do: 'pass', seconds, ...all })
const look = (seconds: number): Step => ({ do: 'pass', seconds, looking: true, ...all })
const cut: Step = { do: 'cut', phone, ...all }
const mend: Step = { do: 'mend', phone, ...all }
/** The fault of the next n requests that change something. */
const calls = (fate: Fate, times: number): Step => ({
  do: 'network fault',
  phone,
  ...all,
  fault: { fate, times, only: 'says' },
})
const finish: Step = { do: 'finish', phone, pick: 0, ...all }
const backUp: Step = { do: 'back up', ...all }
const restore: Step = { do: 'restore', ...all }
const tab = (what: 'open' | 'kill' | 'look'): Step => ({ do: 'tab', phone, what, ...all })

/** The first request of a queue gets 401. */
const signedOut = [calls('401', 1), act(0), pass(5)]

export const cases: Case[] = [
  {
    protection: 'the request key',
    caughtBy: 'S1',
    owners: ['a guest'],
    steps: [calls('doubled', 9), request('guest'), pass(700)],
    sabotage: {
      request: (asked) => {
        asked.headers.delete('idempotency-key')
        return asked
      },
    },
  },
  {
    protection: 'the lock that keeps other tabs from sending',
    caughtBy: 'S17',
    owners: ['a guest'],
    steps: [calls('slow back', 9), tab('open'), request('guest'), pass(130)],
    sabotage: { openLocks: true },
  },
  {
    protection: 'the lease, on phones without locks',
    caughtBy: 'S17',
    owners: ['a guest'],
    withoutLocks: true,
    steps: [calls('slow back', 9), tab('open'), request('guest'), pass(700)],
    sabotage: { openLocks: true },
  },
  {
    protection: 'the roll-back of what was refused',
    caughtBy: 'S6',
    owners: ['driver one'],
    steps: [cut, act(0), { do: 'elsewhere', pick: 1, ...all }, { do: 'look', ...all }],
    switchOff: () => {
      off.rollBack = true
    },
  },
  {
    protection: 'the order of parent and dependant',
    caughtBy: 'S4',
    owners: ['a guest'],
    steps: [calls('503 for a while', 1), request('guest'), pass(700)],
    switchOff: () => {
      const door = Lanes.prototype as unknown as { parentsDone: () => boolean }
      vi.spyOn(door, 'parentsDone').mockReturnValue(true)
    },
  },
  {
    protection: 'the order within a lane',
    caughtBy: 'S3',
    owners: ['driver one'],
    steps: [cut, act(0), act(0), mend, pass(130)],
    switchOff: () => {
      const add = Lanes.prototype.add
      vi.spyOn(Lanes.prototype, 'add').mockImplementation(function (this: Lanes, entries) {
        add.call(this, [...entries].reverse())
      })
    },
  },
  {
    protection: 'a cursor that never runs ahead of its rows',
    caughtBy: 'S10',
    owners: ['driver one'],
    steps: [pass(5)],
    sabotage: {
      response: async (asked, given) => {
        if (!asked.url.includes('/available-deliveries') || given.status !== 200) return given
        const { deliveries, ...rest } = await given.json()
        return new Response(JSON.stringify({ ...rest, deliveries: deliveries.slice(1) }), given)
      },
    },
  },
  {
    protection: 'the look at whose an entry is',
    caughtBy: 'S8',
    owners: ['ama'],
    steps: [request('guest'), pass(5)],
    switchOff: () => {
      off.credentials = true
    },
  },
  {
    protection: 'the patience that the server asked for',
    caughtBy: 'S13',
    owners: ['a guest'],
    steps: [request('guest'), calls('429 for a while', 1), act(0), tab('look'), pass(5)],
    switchOff: () => {
      off.retryAfter = true
    },
  },
  {
    protection: 'the difference between no answer and a no',
    caughtBy: 'S12',
    owners: ['driver one'],
    steps: [calls('408', 1), act(0), pass(5)],
    switchOff: () => {
      off.noResponse = true
    },
  },
  {
    protection: 'the difference between a gateway’s no and ours',
    caughtBy: 'S12',
    owners: ['driver one'],
    steps: [calls('gateway 404', 1), act(0), pass(5)],
    switchOff: () => {
      off.noResponse = true
    },
  },
  {
    protection: 'the request keys of a burst',
    caughtBy: 'S1',
    owners: ['a guest'],
    steps: [calls('doubled', 9), { do: 'burst', phone, count: 16, ...all }, pass(30)],
    sabotage: {
      request: (asked) => {
        asked.headers.delete('idempotency-key')
        return asked
      },
    },
  },
  {
    protection: 'the lock, while the page that sends is frozen',
    caughtBy: 'S17',
    owners: ['driver one'],
    steps: [
      calls('slow back', 9),
      { ...act(0), pace: 2 },
      { do: 'freeze', phone, seconds: 300, ...all },
      { do: 'tab', phone, what: 'worker', ...all },
      pass(130),
    ],
    sabotage: { openLocks: true },
  },
  {
    protection: 'the pages after the first',
    caughtBy: 'S10',
    owners: ['ama'],
    smallPages: true,
    steps: [finish, finish, finish, { do: 'evict', phone, everything: false, ...all }, look(15)],
    sabotage: {
      response: async (asked, given) => {
        if (!asked.url.includes('/sender/deliveries') || asked.method !== 'GET') return given
        if (given.status !== 200) return given
        const { next: _, ...rest } = await given.json()
        return new Response(JSON.stringify(rest), given)
      },
    },
  },
  {
    protection: 'the pause when the token is dead',
    caughtBy: 'S14',
    owners: ['driver one'],
    steps: signedOut,
    switchOff: () => {
      off.pause = true
    },
  },
  {
    protection: 'the question to sign in again',
    caughtBy: 'S14',
    owners: ['driver one'],
    steps: signedOut,
    switchOff: () => {
      off.markExpired = true
    },
  },
  {
    protection: 'the photo that is kept until its answer',
    caughtBy: 'S11',
    owners: ['a guest'],
    steps: [cut, request('guest'), pass(30)],
    switchOff: () => {
      off.photos = true
    },
  },
  {
    protection: 'the day that what failed for an hour is left alone',
    caughtBy: 'S16',
    owners: ['a guest'],
    steps: [
      {
        do: 'network fault',
        phone,
        fault: { fate: '500', times: 90, only: 'says', one: true },
        ...all,
      },
      request('guest'),
      pass(5_400),
    ],
    switchOff: () => {
      off.parkedForADay = true
    },
  },
  {
    protection: 'the alias by which an old ID is found',
    caughtBy: 'S19',
    owners: ['ama'],
    ownIds: true,
    steps: [cut, request('account'), { do: 'report', phone, pick: 0, ...all }, mend, pass(30)],
    switchOff: () => {
      off.alias = true
    },
  },
  {
    protection: 'the one tab that holds the stream',
    caughtBy: 'S22',
    owners: ['ama'],
    eventStream: true,
    steps: [tab('open'), look(15)],
    sabotage: { openLocks: true },
  },
  {
    protection: 'the hand-over of the stream from tab to tab',
    caughtBy: 'S22',
    owners: ['ama'],
    eventStream: true,
    steps: [tab('open'), look(15), tab('kill'), look(15)],
    switchOff: () => {
      off.handOver = true
    },
  },
  {
    protection: 'the hanging up when somebody else logs in',
    caughtBy: 'S22',
    owners: ['ama'],
    eventStream: true,
    steps: [look(15), { do: 'log in', phone, who: 'kofi', ...all }, look(15)],
    sabotage: {
      // The server would hang up by itself once it hears that the login before is over.
      request: (asked) => {
        if (asked.url.endsWith('/logout')) asked.headers.delete('authorization')
        return asked
      },
    },
    switchOff: () => {
      off.closeOnLogout = true
    },
  },
  {
    protection: 'the doubt in a stream that is silent',
    caughtBy: 'S23',
    owners: ['ama'],
    eventStream: true,
    steps: [look(15), { do: 'stream', phone, fate: 'silent', ...all }, look(90)],
    switchOff: () => {
      off.watchdog = true
    },
  },
  {
    protection: 'the word for what a restored server has lost',
    caughtBy: 'S7',
    owners: ['driver one'],
    startsAt: 'Accepted',
    steps: [backUp, act(0), pass(30), restore],
    switchOff: () => {
      off.lost = true
    },
  },
  {
    protection: 'what an event names',
    caughtBy: 'S21',
    owners: ['ama'],
    eventStream: true,
    startsAt: 'Accepted',
    steps: [look(15)],
    switchOff: () => {
      off.affectedLists = true
    },
  },
  {
    protection: 'the job that an event carries',
    caughtBy: 'S21',
    owners: ['driver one'],
    eventStream: true,
    steps: [look(15)],
    switchOff: () => {
      off.pushedOffers = true
    },
  },
]
