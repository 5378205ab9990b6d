import type { Status } from '#domain/deliveries/delivery.ts'
import { shortPrice } from '#domain/money.ts'
import type { DriverStatus } from '#domain/users/user.ts'
import { firstNameOf } from '#domain/users/user.ts'
import type { ChangedDelivery } from '#store/queries/announcements.ts'
import { paths, roomPath } from '../paths.ts'
import type { Toast } from '../shell/toasts.ts'

/** The toast for what another party did to a delivery (R100). */
function deliveryAnnouncement({ delivery, as }: ChangedDelivery): Toast {
  const { ID, status, itemDescription, pickupZone, dropoffZone, offer, driver } = delivery
  const by = driver ? firstNameOf(driver.name) : 'The driver'
  const route = `${itemDescription} · ${pickupZone} to ${dropoffZone}`
  const title = (as === 'sender' ? sentTitles : drivenTitles)[status]
  return {
    title: title?.(by, shortPrice(offer)) ?? `${itemDescription} is ${status}`,
    text: route,
    plain: status === 'Cancelled',
    late: true,
    kept: true,
    about: ID,
    action: { label: status === 'Delivered' ? 'Confirm and pay' : 'Open', to: roomPath(ID) },
  }
}

type Title = (driver: string, price: string) => string

const sentTitles: Partial<Record<Status, Title>> = {
  Accepted: (driver) => `${driver} accepted your delivery`,
  'Picked Up': (driver) => `${driver} picked up your item`,
  Delivered: (driver, price) => `Handed over. Confirm to pay ${driver} ${price}`,
  Approved: (driver, price) => `${driver} was paid ${price}`,
  Cancelled: () => 'Your delivery was cancelled',
}

const drivenTitles: Partial<Record<Status, Title>> = {
  Approved: (_, price) => `You were paid ${price}`,
  Cancelled: () => 'This job was cancelled',
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
