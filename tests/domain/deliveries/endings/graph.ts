import { type Delivery, isActiveDelivery } from '#domain/deliveries/delivery.ts'
import { decide } from '#domain/deliveries/endings/decide.ts'
import { type DecisionKind, defaultEndingTerms } from '#domain/deliveries/endings/incidents.ts'
import {
  attempt,
  confirmReturn,
  proveReturn,
  startReturn,
} from '#domain/deliveries/endings/returns.ts'
import {
  accept,
  approve,
  approveByItself,
  cancel,
  deliver,
  pickUp,
  releaseJob,
  returnToPending,
} from '#domain/deliveries/transitions.ts'
import { Refusal } from '#domain/errors.ts'
import { deliveryOf } from '../../../helpers/device/context.ts'
import { person } from '../../../helpers/device/device.ts'

/* The states of a delivery and who leads from one to another, found by asking the rules themselves. */

const parties = ['sender', 'driver', 'recipient', 'admin'] as const
export type Party = (typeof parties)[number]
/** `by`: everybody who must be there; nobody where a timer does it. */
export type Edge = { from: string; to: string; name: string; by: readonly Party[] }

type Step = { name: string; by: readonly Party[]; apply(delivery: Delivery, at: string): Delivery }

const ama = person('ama', 'sender')
const kofi = person('kofi', 'driver', { driverStatus: 'approved' })
const root = person('root', 'admin')
const sender = { user: ama }
const later = (at: string, by: number) => new Date(Date.parse(at) + by).toISOString()
const { autoApprove, wait } = defaultEndingTerms

const decision = (kind: DecisionKind, words: string): Step => ({
  name: words,
  by: ['admin'],
  apply(delivery, at) {
    if (!delivery.disputed) throw new Refusal('wrong-status')
    const decided = decide(delivery, { kind, reason: 'Heard both', driverShare: 20 }, at)
    return { ...decided, disputed: undefined }
  },
})

const dispute = (by: Party): Step => ({
  name: 'reports an issue',
  by: [by],
  apply(delivery) {
    if (delivery.disputed || (by === 'driver' && !delivery.driver))
      throw new Refusal('wrong-status')
    return { ...delivery, disputed: true }
  },
})

const steps: Step[] = [
  { name: 'accepts', by: ['driver'], apply: (d, at) => accept(d, kofi, { at }) },
  { name: 'gives back', by: ['driver'], apply: (d, at) => releaseJob(d, kofi, 'Tyre', { at }) },
  { name: 'rejects the driver', by: ['admin'], apply: (d, at) => returnToPending(d, { at }) },
  {
    name: 'hand the item over',
    by: ['sender', 'driver'],
    apply: (d, at) => pickUp(d, kofi, { at }),
  },
  {
    name: 'cannot deliver',
    by: ['driver'],
    apply: (d, at) => attempt(d, kofi, { reason: 'absent' }, { at }, { wait }),
  },
  {
    name: 'returns it after the wait',
    by: ['driver'],
    apply: (d, at) =>
      startReturn(d, kofi, undefined, { at }, { returnCode: '1', dueAt: later(at, autoApprove) }),
  },
  {
    name: 'confirms the return',
    by: ['sender'],
    apply: (d, at) => confirmReturn(d, sender, { at }, defaultEndingTerms),
  },
  {
    name: 'use the return code',
    by: ['sender', 'driver'],
    apply: (d, at) => proveReturn(d, kofi, { at }, defaultEndingTerms),
  },
  {
    name: 'use the code',
    by: ['recipient', 'driver'],
    apply: (d, at) => ({ ...deliver(d, kofi, { at }), dueAt: later(at, autoApprove) }),
  },
  { name: 'approves', by: ['sender'], apply: (d, at) => approve(d, sender, { at }) },
  { name: 'cancels', by: ['sender'], apply: (d, at) => cancel(d, sender, { at }) },
  { name: 'cancels it', by: ['admin'], apply: (d, at) => cancel(d, { user: root }, { at }) },
  dispute('sender'),
  dispute('driver'),
  decision('release', 'releases'),
  decision('refund', 'refunds'),
  decision('split', 'splits'),
  decision('none', 'moves nothing'),
  // The timers (R106), as the sweep does them.
  {
    name: '48 hours',
    by: [],
    apply(delivery, at) {
      const isDue = delivery.dueAt !== undefined && delivery.dueAt <= at && !delivery.disputed
      if (!isDue) throw new Refusal('wrong-status')
      if (delivery.status === 'Delivered') return approveByItself(delivery, at)
      return { ...delivery, dueAt: undefined, disputed: true }
    },
  },
]

/** What tells two states apart. */
function nameOf({ status, outcome, disputed, returning, attempts }: Delivery): string {
  if (status === 'Cancelled') return `Cancelled, ${outcome ?? 'refunded'}`
  const isUnderWay = status === 'Picked Up'
  const stage =
    isUnderWay && returning ? 'Returning' : isUnderWay && attempts ? 'Attempted' : status
  return disputed && status !== 'Approved' ? `${stage}, disputed` : stage
}

/** A request of these cedis, as it is posted. */
const posted = (offer = 60): Delivery =>
  deliveryOf('d', {
    offer,
    sender: { id: 'ama', name: 'Ama', phone: '0244000000' },
    history: [{ status: 'Pending', at: '2026-11-21T10:00:00.000Z' }],
  } as Partial<Delivery>)

/** Three days later, so that every wait is over. */
const longAfter = ({ updatedAt }: Delivery) => later(updatedAt, 72 * 3_600_000)

/** Every state with a delivery that is in it, and every edge between two of them. */
export function graphOf(offer?: number): { states: Map<string, Delivery>; edges: Edge[] } {
  const first = posted(offer)
  const states = new Map([[nameOf(first), first]])
  const edges: Edge[] = []
  for (const [from, delivery] of states)
    for (const { name, by, apply } of steps) {
      const next = tried(() => apply(delivery, longAfter(delivery)))
      if (!next) continue
      const to = nameOf(next)
      if (to !== from) edges.push({ from, to, name, by })
      if (!states.has(to)) states.set(to, { ...next, updatedAt: longAfter(delivery) })
    }
  return { states, edges }
}

function tried(step: () => Delivery): Delivery | undefined {
  try {
    return step()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** The states from which nobody but the absent party leads to an end. */
export function stuckWithout(
  absent: readonly Party[],
  { states, edges }: ReturnType<typeof graphOf>,
) {
  const ending = new Set(
    [...states].flatMap(([name, each]) => (isActiveDelivery(each) ? [] : name)),
  )
  const open = edges.filter(({ by }) => !by.some((party) => absent.includes(party)))
  for (let before = -1; before < ending.size; ) {
    before = ending.size
    for (const { from, to } of open) if (ending.has(to)) ending.add(from)
  }
  return [...states.keys()].filter((name) => !ending.has(name)).sort()
}

/** The boxes and arrows of the README's picture. All disputed states are one. */
export function drawn({ states, edges }: ReturnType<typeof graphOf>) {
  const whole = (name: string) => (name.includes('disputed') ? disputed : name)
  const arrows = new Map<string, { from: string; to: string; labels: Set<string> }>()
  for (const { name, by, ...ends } of edges) {
    const [from, to] = [whole(ends.from), whole(ends.to)]
    // The picture shows of a dispute what an admin decides; the rest goes on as without one.
    const isShown = from !== disputed || ['releases', 'refunds', 'splits'].includes(name)
    if (from === to || !isShown) continue
    const label = by.length === 0 ? `after ${name}` : `${by.join(' and ')} ${name}`
    const arrow = arrows.get(`${from}>${to}`) ?? { from, to, labels: new Set() }
    arrow.labels.add(label)
    arrows.set(`${from}>${to}`, arrow)
  }
  return { boxes: [...new Set([...states.keys()].map(whole))], arrows: [...arrows.values()] }
}

const disputed = 'Disputed'
