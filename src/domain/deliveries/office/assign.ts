import { Refusal } from '../../errors.ts'
import { hasExpired } from '../../users/licence.ts'
import { isSuspended } from '../../users/standing/suspension.ts'
import { type Contact, isApprovedDriver, type User } from '../../users/user.ts'
import { type ActionTime, type Actor, type Delivery, isOnOffer } from '../delivery.ts'
import { isOwnRequest, next } from '../transitions.ts'
import { byOffice, mustBeOffice } from './office.ts'

/** Whom the office gives a job to. `card`: what its sender sees of them; `isBusy`: they have a job (R29). */
export type Assignee = { driver: User; card: Contact; isBusy: boolean }

/**
 * The office gives a Pending or Accepted job to a driver, or puts it back on offer where there is no `assignee` (R192).
 * A driver who had it loses it. `driver`: whom it is asked for; a phone foresees only whether it is possible at all.
 * Refusals: not-allowed, wrong-status, not-approved, driver-busy, own-request.
 */
export function assign(
  delivery: Delivery,
  actor: Actor,
  when: ActionTime,
  { driver, reason }: { driver: string | null; reason: string },
  assignee?: Assignee,
): Delivery {
  mustBeOffice(delivery, actor)
  const { driver: before } = delivery
  if (delivery.status !== 'Accepted' && !isOnOffer(delivery))
    throw new Refusal('wrong-status', whyNot(delivery))
  if (driver === null && !before) throw new Refusal('wrong-status', 'It is on offer already.')
  if (driver !== null && driver === before?.id)
    throw new Refusal('wrong-status', 'This driver has the job already.')
  if (assignee) mustBeFree(delivery, assignee, when)
  const { driver: _, ...free } = before ? withoutDriver(delivery, reason, when) : delivery
  const step = byOffice(when, reason)
  return driver === null
    ? next(free, 'Pending', step)
    : next(free, 'Accepted', step, { driver: assignee?.card })
}

const whyNot = ({ status, withheld }: Delivery): string =>
  status === 'Pending'
    ? `${withheld ? 'Its sender is suspended' : 'It is not paid yet'}, so no driver can have it.`
    : `It is ${status}: only a Pending or Accepted delivery can change its driver.`

function mustBeFree(delivery: Delivery, { driver, isBusy }: Assignee, when: ActionTime) {
  if (!isApprovedDriver(driver) || !driver.Verified) throw new Refusal('not-approved')
  if (isSuspended(driver, when.at)) throw new Refusal('not-approved', 'This driver is suspended.')
  if (hasExpired(driver.licence, when.at))
    throw new Refusal('not-approved', 'The courier licence of this driver has expired.')
  if (isOwnRequest(delivery, driver))
    throw new Refusal('own-request', 'This driver cannot carry a delivery of their own number.')
  if (isBusy) throw new Refusal('driver-busy')
}

/** Notes that the driver had the job; it does not count as one that they gave back (R134). */
function withoutDriver(delivery: Delivery, reason: string, { at }: ActionTime): Delivery {
  const { driver, incidents = [] } = delivery
  const taken = { kind: 'release' as const, by: 'office', reason, at }
  return {
    ...delivery,
    incidents: [...incidents, { ...taken, driver: driver?.id, name: driver?.name }],
  }
}
