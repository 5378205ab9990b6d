import fc from 'fast-check'
import { type Fate, fates, type NetworkFault } from '../../devices/network/faults.ts'
import { type StreamFate, streamFates } from '../../devices/network/streams.ts'
import type { Role } from '../seed-data.ts'
import type { Milestone, Owner, Settings } from '../simulation.ts'
import { mostPick } from '../steps/actions.ts'
import { burst, gatewayFault, pathFault, type RareEvent, rareEvents } from './rare-events.ts'

/** One action of a scenario. Plain data, so that a failed scenario can be kept as a regression. */
export type ScenarioAction =
  | { do: 'request'; phone: number; mode: 'guest' | 'account' }
  /** The n-th action the person can perform on the deliveries they see, or an admin's n-th decision. `right`: whether the code is correct. */
  | { do: 'act'; phone: number; pick: number; right: boolean }
  /** Other users bring a delivery to the state in which the person may end it. */
  | { do: 'finish'; phone: number; pick: number }
  | { do: 'report'; phone: number; pick: number }
  | { do: 'change phone'; phone: number }
  /** A driver keeps one commute more, or deletes the first. */
  | { do: 'change commutes'; phone: number; pick: number }
  | { do: 'repair'; phone: number; pick: number; how: 'discard' | 'retry' | 'edit' }
  | { do: 'log in'; phone: number; who: Role }
  | { do: 'log out'; phone: number; unsent: 'send' | 'keep' | 'discard' }
  | { do: 'tab'; phone: number; what: 'open' | 'close' | 'kill' | 'look' | 'worker' }
  /** The tab is killed after n database operations. */
  | { do: 'crash'; phone: number; steps: number; who: 'tab' | 'worker' }
  | { do: 'network fault'; phone: number; fault: NetworkFault }
  | { do: 'cut' | 'mend'; phone: number }
  | { do: 'stream'; phone: number; fate: StreamFate }
  /** `looking`: every phone is visible all the time, not only for the first half minute. */
  | { do: 'pass'; seconds: number; looking?: boolean }
  | { do: 'jump'; phone: number; seconds: number }
  | { do: 'fill'; phone: number; writes: number }
  | { do: 'close database'; phone: number }
  | { do: 'elsewhere'; pick: number }
  | { do: 'carry'; pick: number; to: Milestone }
  /** The delivery that Ama asked for is cancelled while a driver has it. */
  | { do: 'cancel'; by: Role }
  /** The time is over for which money is held after a cancel. */
  | { do: 'end holds' }
  | { do: 'review'; who: Role; status: 'approved' | 'rejected' }
  | { do: 'end sessions'; who: Role }
  | { do: 'restart' }
  | { do: 'look' }
  | RareEvent

/** `pace`: how many pending messages arrive before the next step. */
export type Step = ScenarioAction & { pace: number }

const phone = fc.nat({ max: 2 })
const pick = fc.nat({ max: mostPick })
const who = fc.constantFrom<Role>('ama', 'kofi', 'driver one', 'driver two', 'newcomer')
const fate = fc.constantFrom<Fate>(...fates)
const says = { weight: 5, arbitrary: fc.constant<'says'>('says') }
const only = fc.oneof(says, {
  weight: 1,
  arbitrary: fc.constantFrom<'asks' | 'any'>('asks', 'any'),
})
const times = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 3 }) },
  { weight: 1, arbitrary: fc.constant(9) },
)

const oneIn = (many: number) => fc.nat({ max: many - 1 }).map((at) => at === many - 1)
const milestone = fc.constantFrom<Milestone>('Accepted', 'Picked Up', 'Delivered', 'Delivered')
/** One request gets server errors until it is parked for a day (S16). */
const stubborn: NetworkFault = { fate: '500', times: 90, only: 'says', one: true }

const as = <D extends ScenarioAction['do']>(name: D) => fc.constant(name)
const networkFault = fc.record({ fate, times, only })

const weightedActions: [number, fc.Arbitrary<ScenarioAction>][] = [
  [
    9,
    fc.record({
      do: as('request'),
      phone,
      mode: fc.constantFrom('guest' as const, 'account' as const),
    }),
  ],
  [16, fc.record({ do: as('act'), phone, pick, right: oneIn(5).map((not) => !not) })],
  [8, fc.record({ do: as('finish'), phone, pick })],
  [5, fc.record({ do: as('report'), phone, pick })],
  [1, fc.record({ do: as('change phone'), phone })],
  [1, fc.record({ do: as('change commutes'), phone, pick })],
  [
    4,
    fc.record({
      do: as('repair'),
      phone,
      pick,
      how: fc.constantFrom('discard' as const, 'retry' as const, 'edit' as const),
    }),
  ],
  [3, fc.record({ do: as('log in'), phone, who })],
  [
    2,
    fc.record({
      do: as('log out'),
      phone,
      unsent: fc.constantFrom('send' as const, 'keep' as const, 'discard' as const),
    }),
  ],
  [
    5,
    fc.record({
      do: as('tab'),
      phone,
      what: fc.constantFrom(
        'open' as const,
        'close' as const,
        'kill' as const,
        'look' as const,
        'worker' as const,
      ),
    }),
  ],
  [
    4,
    fc.record({
      do: as('crash'),
      phone,
      steps: fc.nat({ max: 40 }),
      who: fc.constantFrom('tab' as const, 'worker' as const),
    }),
  ],
  [14, fc.record({ do: as('network fault'), phone, fault: networkFault })],
  [1, fc.record({ do: as('network fault'), phone, fault: fc.constant(stubborn) })],
  [3, fc.record({ do: as('cut'), phone })],
  [4, fc.record({ do: as('mend'), phone })],
  [8, fc.record({ do: as('pass'), seconds: fc.constantFrom(1, 5, 30, 130, 700, 4_000) })],
  [2, fc.record({ do: as('pass'), seconds: fc.constantFrom(15, 90), looking: fc.constant(true) })],
  [3, fc.record({ do: as('stream'), phone, fate: fc.constantFrom<StreamFate>(...streamFates) })],
  [1, fc.record({ do: as('jump'), phone, seconds: fc.constantFrom(-90_000, -400, 400, 90_000) })],
  [2, fc.record({ do: as('fill'), phone, writes: fc.integer({ min: 1, max: 6 }) })],
  [1, fc.record({ do: as('close database'), phone })],
  [8, fc.record({ do: as('elsewhere'), pick })],
  [4, fc.record({ do: as('carry'), pick, to: milestone })],
  [
    1,
    fc.record({
      do: as('review'),
      who: fc.constantFrom<Role>('driver one', 'newcomer'),
      status: fc.constantFrom('approved' as const, 'rejected' as const),
    }),
  ],
  [1, fc.record({ do: as('end sessions'), who })],
  [1, fc.record({ do: as('restart') })],
  [4, fc.record({ do: as('look') })],
]

const drawn = [
  ...weightedActions.map(([weight, arbitrary]) => ({ weight, arbitrary })),
  { weight: 2, arbitrary: fc.record({ do: as('network fault'), phone, fault: gatewayFault }) },
  { weight: 2, arbitrary: fc.record({ do: as('network fault'), phone, fault: pathFault }) },
  ...rareEvents,
]
const action = fc.oneof<fc.WeightedArbitrary<ScenarioAction>[]>(...drawn)
/** One scenario in so many begins with a burst of requests. */
const burstsIn = 150
/** In one scenario of so many the server is restored from a backup of that scenario. */
const restoresIn = 25
const pace = fc.oneof(
  { weight: 2, arbitrary: fc.nat({ max: 4 }) },
  { weight: 2, arbitrary: fc.constant(100) },
)

const owners = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(['a guest'], ['ama'], ['driver one'], ['driver one'], ['admin']),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ['ama', 'driver one'],
      ['a guest', 'driver one'],
      ['driver one', 'driver two'],
      ['admin', 'driver one'],
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ['ama', 'driver one', 'driver two'],
      ['a guest', 'ama', 'driver one'],
    ),
  },
) as unknown as fc.Arbitrary<Scenario['owners']>

export type Scenario = Settings & { seed: number; owners: Owner[]; steps: Step[] }

/** Scenarios of at most so many steps. */
export const scenarios = (most: number): fc.Arbitrary<Scenario> =>
  fc
    .record({
      seed: fc.nat(),
      owners,
      withoutLocks: oneIn(5),
      eventStream: oneIn(4),
      ownIds: oneIn(8),
      smallPages: oneIn(8),
      startsAt: fc.oneof(
        { weight: 1, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: milestone },
      ),
      hasBurst: oneIn(burstsIn),
      burst,
      isRestored: oneIn(restoresIn),
      backUpAt: fc.nat({ max: most }),
      restoreAfter: fc.integer({ min: 1, max: most }),
      steps: fc.array(
        fc.tuple(action, pace).map(([each, pace]) => ({ ...each, pace })),
        { minLength: 4, maxLength: most, size: 'max' },
      ),
    })
    .map(({ hasBurst, burst, isRestored, backUpAt, restoreAfter, ...scenario }) => {
      let { steps }: { steps: Step[] } = scenario
      if (isRestored) steps = withRestore(steps, backUpAt, restoreAfter)
      if (hasBurst) steps = [{ ...burst, pace: 2 }, ...steps]
      return { ...scenario, steps }
    })

/** The steps with a backup before one of them, and a restore so many later or at their end. */
const withRestore = (steps: readonly Step[], backUpAt: number, restoreAfter: number): Step[] => {
  const at = backUpAt % steps.length
  const until = at + restoreAfter
  return [
    ...steps.slice(0, at),
    { do: 'back up', pace: 100 },
    ...steps.slice(at, until),
    { do: 'restore', pace: 100 },
    ...steps.slice(until),
  ]
}
