import type { Actor, Delivery } from '#domain/deliveries/delivery.ts'
import { decide } from '#domain/deliveries/endings/decide.ts'
import { defaultEndingTerms } from '#domain/deliveries/endings/incidents.ts'
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
import { deliveryOf } from '../../helpers/device/context.ts'
import { person } from '../../helpers/device/device.ts'

/* Every state that the domain's own rules lead to, found by asking them. */

const ama = person('ama', 'sender', { name: 'Ama Owusu' })
const kofi = person('kofi', 'driver', { name: 'Kofi Boateng', driverStatus: 'approved' })
const admin = person('root', 'admin')
export const sender: Actor = { user: ama }
export const driver: Actor = { user: kofi }

type Step = (delivery: Delivery, at: string) => Delivery
const terms = { ...defaultEndingTerms, returnShare: 0.75 }
const soon = (at: string) => new Date(Date.parse(at) + 60_000).toISOString()
const made = (at: string) => ({ returnCode: '54321', dueAt: soon(at) })

const steps: Record<string, Step> = {
  accept: (delivery, at) => accept(delivery, kofi, { at }),
  release: (delivery, at) => releaseJob(delivery, kofi, 'Flat tyre', { at }),
  rejected: (delivery, at) => returnToPending(delivery, { at }),
  pickUp: (delivery, at) => pickUp(delivery, kofi, { at }),
  attempt: (delivery, at) => attempt(delivery, kofi, { reason: 'refused' }, { at }, terms),
  return: (delivery, at) => startReturn(delivery, kofi, undefined, { at }, made(at)),
  confirm: (delivery, at) => confirmReturn(delivery, sender, { at }, terms),
  prove: (delivery, at) => proveReturn(delivery, kofi, { at }, terms),
  deliver: (delivery, at) => ({ ...deliver(delivery, kofi, { at }), dueAt: soon(at) }),
  approve: (delivery, at) => approve(delivery, sender, { at }),
  byItself: (delivery, at) => approveByItself(delivery, at),
  cancel: (delivery, at) => cancel(delivery, sender, { at }),
  dispute: (delivery) => ({ ...delivery, disputed: true }),
  settled: (delivery) => ({ ...delivery, disputed: false }),
  release2: (delivery, at) => decided(delivery, 'release', at),
  refund: (delivery, at) => decided(delivery, 'refund', at),
  split: (delivery, at) => decided(delivery, 'split', at),
  byAdmin: (delivery, at) => cancel(delivery, { user: admin }, { at }),
}

const decided = (delivery: Delivery, kind: 'release' | 'refund' | 'split', at: string) =>
  decide(delivery, { kind, reason: 'Both were right.', driverShare: 20 }, at)

/** What tells two states apart. */
function nameOf(delivery: Delivery): string {
  const { status, outcome, decision, disputed, returning, attempts, incidents, history } = delivery
  const automatic = history?.some((change) => change.automatic)
  const released = incidents?.some(({ kind }) => kind === 'release')
  const wasAccepted = history?.some((change) => change.status === 'Accepted')
  const flags = {
    outcome,
    decided: decision?.kind,
    disputed,
    returning,
    attempts,
    automatic,
    released,
  }
  const set = Object.entries({ ...flags, wasAccepted }).filter(([, value]) => value)
  return [status, ...set.map(([flag, value]) => (typeof value === 'string' ? value : flag))].join(
    ' ',
  )
}

/** Each state by its name, with a delivery that is in it. */
export function everyState(): Map<string, Delivery> {
  const first = deliveryOf('d', {
    sender: { id: 'ama', name: 'Ama Owusu', phone: '0244000000' },
    recipientName: 'Esi Mensah',
    history: [{ status: 'Pending', at: '2026-11-21T10:00:00.000Z' }],
  } as Partial<Delivery>)
  const found = new Map([[nameOf(first), first]])
  for (const delivery of found.values())
    for (const step of Object.values(steps)) {
      const next = after(step, delivery)
      if (next && !found.has(nameOf(next))) found.set(nameOf(next), next)
    }
  return found
}

/** An hour later, so that every wait is over. */
function after(step: Step, delivery: Delivery): Delivery | undefined {
  const last = delivery.history?.at(-1)?.at ?? delivery.updatedAt
  const latest = [last, delivery.updatedAt].sort().at(-1) ?? last
  try {
    return step(delivery, new Date(Date.parse(latest) + 3_600_000).toISOString())
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
