import { Refusal } from '../../errors.ts'
import { isOffice } from '../../users/user.ts'
import type { ActionTime, Actor, Delivery, StatusChange } from '../delivery.ts'
import { isPartyTo } from '../delivery.ts'
import type { Incident } from '../endings/incidents.ts'

/** Only the office, and nobody about their own delivery (R132). Refusal: not-allowed. */
export function mustBeOffice(delivery: Delivery, actor: Actor): void {
  if (!('user' in actor) || !isOffice(actor.user)) throw new Refusal('not-allowed')
  if (isPartyTo(delivery, actor))
    throw new Refusal('not-allowed', 'Another admin decides about your own delivery.')
}

/** How an act of the office stands in the history, where both sides read it (R191). */
export const byOffice = (when: ActionTime, reason: string | undefined) => ({
  ...when,
  by: 'office',
  ...(reason ? { reason } : {}),
})

/** Whether the office did this step. */
const isByOffice = ({ by }: Pick<StatusChange, 'by'>): boolean => by === 'office'

/** The newest step, where the office did it. */
export function lastOfOffice({ history = [] }: Pick<Delivery, 'history'>) {
  const last = history.at(-1)
  return last && isByOffice(last) ? last : undefined
}

/** Why the office took the job from this driver (R192); nothing where it did not, or they gave it back themselves since. */
export function takenFrom(
  { incidents = [], driver }: Pick<Delivery, 'incidents' | 'driver'>,
  driverId: string,
): Incident | undefined {
  if (driver?.id === driverId) return undefined
  const last = incidents.findLast((each) => each.kind === 'release' && each.driver === driverId)
  return last?.by === 'office' ? last : undefined
}

/** What a driver reads whose job the office took: they must not act on it any more (R192). */
export function takenRefusal(delivery: Delivery, driverId: string): Refusal | undefined {
  const taken = takenFrom(delivery, driverId)
  return taken && new Refusal('wrong-status', `Support took this job off you: ${taken.reason}`)
}
