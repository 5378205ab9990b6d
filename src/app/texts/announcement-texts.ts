import { approvalOf, type Delivery, type Status } from '#domain/deliveries/delivery.ts'
import { isClaimed } from '#domain/deliveries/endings/cancel-hold.ts'
import { moneyDecision } from '#domain/deliveries/endings/decide.ts'
import { isDirect, priceText } from '#domain/deliveries/payment.ts'
import { shortPrice } from '#domain/money.ts'
import type { DriverStatus } from '#domain/users/user.ts'
import { firstNameOf } from '#domain/users/user.ts'
import type { ChangedDelivery } from '#store/queries/announcements.ts'
import { paths, roomPath } from '../paths.ts'
import type { Toast } from '../toasts.ts'
import { driverPaidText, senderPaidText, sharePaidText } from './paid-texts.ts'
import {
  attemptText,
  cancelTitle,
  lastAttempt,
  lateText,
  sharesText,
  supportTitle,
  whyOnOffer,
} from './return-texts.ts'
import { upperFirst } from './steps/step.ts'

/** The toast for what another party did to a delivery (R100). */
function deliveryAnnouncement({ delivery, as }: ChangedDelivery): Toast {
  const { ID, status, itemDescription, pickupZone, dropoffZone, driver, disputed } = delivery
  if (as === 'driver' && status === 'Pending') return takenToast(delivery)
  const by = driver ? firstNameOf(driver.name) : 'The driver'
  const route = `${itemDescription} · ${pickupZone} to ${dropoffZone}`
  const title = (as === 'sender' ? sentTitles : drivenTitles)[status]
  const support = supportTitle(delivery, as)
  const usual = (as === 'sender' ? sentExit : drivenExit)(delivery, by)
  // Of one that is approved, also who has what (R228).
  const exit = support
    ? { title: support, text: status === 'Approved' ? usual?.title : undefined }
    : usual
  return {
    title: exit?.title ?? title?.(by, priceText(delivery)) ?? `${itemDescription} is ${status}`,
    text: exit ? [exit.text, route].filter(Boolean).join(' · ') : route,
    plain: status === 'Cancelled' || isSetback(delivery),
    late: true,
    kept: true,
    about: ID,
    action: {
      label: status === 'Delivered' && !disputed ? 'Confirm and pay' : 'Open',
      to: roomPath(ID),
    },
  }
}

/** A driver's job is theirs no more, and they did not give it back (R192, S86). */
function takenToast({
  ID,
  itemDescription,
  pickupZone,
  dropoffZone,
  incidents = [],
}: Delivery): Toast {
  const reason = incidents.findLast(({ by }) => by === 'office')?.reason
  return {
    title: reason ? `Support took this job off you: ${reason}` : 'This job is no longer yours',
    text: `${itemDescription} · ${pickupZone} to ${dropoffZone}`,
    plain: true,
    late: true,
    kept: true,
    about: ID,
    action: { label: 'Find Deliveries', to: paths.drive },
  }
}

type Title = (driver: string, price: string) => string

const sentTitles: Partial<Record<Status, Title>> = {
  Accepted: (driver) => `${driver} accepted your delivery`,
  'Picked Up': (driver) => `${driver} picked up your item`,
  Delivered: (driver, price) => `Handed over. Confirm to pay ${driver} ${price}`,
  Cancelled: () => 'Your delivery was cancelled',
}

const drivenTitles: Partial<Record<Status, Title>> = {
  Cancelled: () => 'This job was cancelled',
}

const isSetback = ({ status, attempts, returning, codeLocked }: Delivery) =>
  status === 'Pending' || (status === 'Picked Up' && (!!attempts || !!returning || !!codeLocked))

type ExitText = { title: string; text?: string }

/** What a sender is told of a delivery that has gone another way than planned (R101 to R108). */
function sentExit(delivery: Delivery, driver: string): ExitText | undefined {
  const { status, outcome, offer } = delivery
  const decision = moneyDecision(delivery)
  const shares = sharesText(delivery, driver)
  const attempted = lastAttempt(delivery)
  switch (status) {
    case 'Pending':
      return {
        title: 'Your delivery is on offer again',
        text: whyOnOffer(delivery),
      }
    case 'Picked Up':
      if (delivery.returning) return { title: `${driver} is bringing your parcel back` }
      if (delivery.codeLocked)
        return {
          title: 'The delivery code is locked',
          text: 'Too many wrong codes were tried. Get a new one',
        }
      return attempted && { title: `${driver} couldn't deliver: ${attemptText(attempted.reason)}` }
    case 'Delivered':
      return isDirect(delivery)
        ? { title: `Handed over. Pay ${driver} ${shortPrice(offer)} and confirm` }
        : undefined
    case 'Approved':
      return approvedExit(delivery, upperFirst(senderPaidText(delivery, driver)))
    case 'Cancelled':
      if (outcome === 'returned') return { title: 'Return confirmed', text: shares }
      if (isClaimed(delivery))
        return {
          title: lateText(delivery, driver),
          text: `Support decides about ${shortPrice(offer)}`,
        }
      return decision
        ? { title: `Decided: ${shares}`, text: decision.reason }
        : cancelExit(delivery)
    default:
      return undefined
  }
}

/** What a driver is told of such a delivery. */
function drivenExit(delivery: Delivery): ExitText | undefined {
  const { status, outcome } = delivery
  const decision = moneyDecision(delivery)
  const { sender, senderName } = delivery
  const name = sender?.name ?? senderName
  const by = name ? firstNameOf(name) : 'the sender'
  if (status === 'Approved') return approvedExit(delivery, driverPaidText(delivery, by))
  const paid = sharePaidText(delivery, by)
  if (status !== 'Cancelled') return undefined
  if (outcome === 'returned') return { title: `Return confirmed, ${paid}` }
  return decision ? { title: `Decided: ${paid}`, text: decision.reason } : cancelExit(delivery)
}

/** Why it was cancelled, where anybody said so (R161). */
function cancelExit(delivery: Delivery): ExitText | undefined {
  const title = cancelTitle(delivery)
  return title ? { title } : undefined
}

function approvedExit(delivery: Delivery, title: string): ExitText {
  const { decision } = delivery
  if (decision?.kind === 'release') return { title: `Decided: ${title}`, text: decision.reason }
  return { title, text: approvalOf(delivery)?.automatic ? 'Approved automatically' : undefined }
}

/** The toast for the decision on a driver's application (R100). */
export const decisionAnnouncement = (status: DriverStatus): Toast | undefined =>
  status === 'pending' ? undefined : decisions[status]

const decisions: Record<Exclude<DriverStatus, 'pending'>, Toast> = {
  approved: {
    title: 'You are approved to drive',
    text: 'You can accept jobs now.',
    late: true,
    kept: true,
    action: { label: 'Find Deliveries', to: paths.drive },
  },
  rejected: {
    title: 'Your driver application was rejected',
    text: 'Contact support if you think this is a mistake.',
    plain: true,
    late: true,
    kept: true,
    action: { label: 'Open', to: paths.driverPending },
  },
}

/** More than this many at once are one toast. */
const mostToasts = 3

/** The toasts for all that happened at once. */
export function announcementToasts(changed: readonly ChangedDelivery[]): Toast[] {
  if (changed.length <= mostToasts) return changed.map(deliveryAnnouncement)
  return [
    {
      title: `News of ${changed.length} deliveries`,
      text: 'See what happened to each.',
      late: true,
      kept: true,
      action: { label: 'Open', to: paths.home },
    },
  ]
}
