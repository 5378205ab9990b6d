import { Refusal } from '../../errors.ts'
import type { ActionTime, Actor, Delivery } from '../delivery.ts'
import { isActiveJob, isOnOffer } from '../delivery.ts'
import { type Place, placeOf } from '../places/place.ts'
import { next, raised } from '../transitions.ts'
import { byOffice, mustBeOffice } from './office.ts'

/** What the office corrects: what is missing stays. `offer` in cedis; an empty place removes it. */
export type Correction = {
  pickupZone?: string
  dropoffZone?: string
  pickupPlace?: Place
  dropoffPlace?: Place
  recipientName?: string
  recipientPhone?: string
  offer?: number
}

const zones = ['pickupZone', 'dropoffZone']
/** Fields of the way to the sender: no more use once the driver has the item. */
const beforePickUp = ['pickupZone', 'pickupPlace']

/**
 * The office corrects what a request says, until it is handed over, with a reason that both sides read (R193).
 * Zones change once no driver looks for it by them. The offer goes up alone, while it is on offer (R169).
 * Refusals: not-allowed, wrong-status, invalid, same-zones, own-request.
 */
export function correct(
  delivery: Delivery,
  actor: Actor,
  when: ActionTime,
  { reason, ...correction }: Correction & { reason: string },
): Delivery {
  mustBeOffice(delivery, actor)
  if (delivery.status !== 'Pending' && !isActiveJob(delivery)) throw new Refusal('wrong-status')
  const { offer, ...rest } = correction
  const changed = Object.entries(rest).flatMap(([field, value]) => {
    if (value === undefined) return []
    const wanted = typeof value === 'string' ? value : placeOf(value)
    const isNew = JSON.stringify(wanted) !== JSON.stringify(delivery[field as keyof Delivery])
    return isNew ? [[field, wanted] as const] : []
  })
  const fields = changed.map(([field]) => field)
  const isUp = offer !== undefined && offer !== delivery.offer
  if (isOnOffer(delivery) && zones.some((field) => fields.includes(field)))
    throw new Refusal('wrong-status', 'Drivers find it by its zones. Give it to a driver first.')
  if (delivery.status === 'Picked Up' && beforePickUp.some((field) => fields.includes(field)))
    throw new Refusal('wrong-status', 'The driver has picked it up already.')
  if (fields.length === 0 && !isUp) throw new Refusal('invalid', 'Nothing was changed.')
  const after = { ...delivery, ...Object.fromEntries(changed) }
  if (after.pickupZone === after.dropoffZone) throw new Refusal('same-zones')
  if (after.recipientPhone !== undefined && after.recipientPhone === after.driver?.phone)
    throw new Refusal('own-request', 'That is the number of its driver.')
  const step = byOffice(when, reason)
  const corrected =
    fields.length === 0
      ? after
      : next(after, after.status, { ...step, corrected: fields }, { dueAt: after.dueAt })
  return isUp ? raised(corrected, step, offer) : corrected
}
