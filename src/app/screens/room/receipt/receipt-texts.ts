import {
  type Delivery,
  isActiveDelivery,
  isStatusStep,
  type Status,
} from '#domain/deliveries/delivery.ts'
import { isHeld } from '#domain/deliveries/endings/cancel-hold.ts'
import { isSaidUnpaid, saysPaid } from '#domain/deliveries/endings/direct-payment.ts'
import {
  feeOf,
  isDirect,
  isFunded,
  paidToDriver,
  partOf,
  totalOf,
} from '#domain/deliveries/payment.ts'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { fullPrice, toCedis, toPesewas } from '#domain/money.ts'
import { product } from '#domain/product.ts'
import { firstNameOf } from '#domain/users/user.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { longDate } from '../../../texts/time.ts'

/** The delivery that there is a receipt of, as the server has it: one that has ended, and whose money is not held (R185). */
export function receiptOf({ known, server, view }: DeliveryRow): Delivery | undefined {
  const ended = server ?? view
  return known && !isActiveDelivery(ended) && !isHeld(ended) ? ended : undefined
}

type Line = readonly [name: string, value: string]

/** What a receipt says to this side, line by line. */
export function receiptLines(view: Delivery, as: 'sender' | 'driver'): Line[] {
  const { ID, itemDescription, pickupZone, dropoffZone, driver } = view
  return [
    ['Reference', referenceOf(ID)],
    ['Item', itemDescription],
    ['Route', `${pickupZone} to ${dropoffZone}`],
    ...(driver ? [['Driver', firstNameOf(driver.name)] as const] : []),
    ...amounts(view, as),
    ...times(view),
  ]
}

/** The same as a text to share. */
export const receiptText = (view: Delivery, as: 'sender' | 'driver'): string =>
  [
    `${product} receipt`,
    ...receiptLines(view, as).map(([name, value]) => `${name}: ${value}`),
  ].join('\n')

function amounts(view: Delivery, as: 'sender' | 'driver'): Line[] {
  const { status, offer, tip, feePercent = 0 } = view
  const part = toCedis(partOf(view))
  const back = toCedis(toPesewas(offer) - toPesewas(part))
  const fee = toCedis(feeOf(toPesewas(part), feePercent))
  const lines: (Line | false | undefined)[] = [
    ['Offer', fullPrice(offer)],
    !!tip && ['Tip', fullPrice(tip)],
    back > 0 && part > 0 && ['Driver’s part', fullPrice(part)],
    back > 0 && backLine(view, back),
    as === 'driver' && fee > 0 && [`Fee (${feePercent} %)`, `−${fullPrice(fee)}`],
    as === 'driver' && part > 0 && ['You get', fullPrice(toCedis(paidToDriver(view)))],
    status === 'Approved' && as === 'sender' && ['Total', fullPrice(totalOf(view))],
    part > 0 && ['Paid', paidText(view)],
  ]
  return lines.filter((line) => !!line)
}

/** What the sender has back of their offer, and since when; or does not owe, where they pay the driver themselves (R171). */
function backLine(view: Delivery, back: number): Line {
  if (isDirect(view)) return ['Not owed', fullPrice(back)]
  if (!isFunded(view)) return ['Paid', 'Nothing']
  const ended = view.decision?.at ?? stepAt(view, 'Cancelled') ?? view.updatedAt
  const { status, at = ended } = view.payment ?? {}
  return status === 'refunded'
    ? ['Refunded', `${fullPrice(back)}, ${longDate(at)}`]
    : ['To be refunded', fullPrice(back)]
}

function paidText(view: Delivery): string {
  if (!isDirect(view)) return 'By mobile money, through a payment provider'
  if (isSaidUnpaid(view)) return 'The driver has not received it'
  if (view.paidBy === 'momo') return 'By mobile money, to the driver'
  if (view.paidBy === 'cash') return 'In cash, to the driver'
  return saysPaid(view) ? 'To the driver' : 'Not said yet'
}

const stepAt = ({ history = [] }: Delivery, status: Status) =>
  history.findLast((step) => step.status === status && !step.late && isStatusStep(step))?.at

function times(view: Delivery): Line[] {
  const ended =
    view.outcome === 'returned' && view.status === 'Cancelled' ? 'Returned' : view.status
  const steps: [name: string, at: string | undefined][] = [
    ['Requested', view.createdAt],
    ['Accepted', stepAt(view, 'Accepted')],
    ['Picked up', stepAt(view, 'Picked Up')],
    ['Delivered', stepAt(view, 'Delivered')],
    [ended, stepAt(view, view.status)],
  ]
  return steps.flatMap(([name, at]) => (at ? [[name, longDate(at)] as const] : []))
}
