import * as z from 'zod/mini'
import type {
  NotificationSettings,
  NotifiedRoute,
  QuietHours,
} from '../users/notification-settings.ts'

/**
 * What a person can be told of while the app is closed (R115). `new-job` only drivers, who choose its routes
 * (R120); `application` only drivers, too; those of the office only admins (R224).
 */
export const NotificationKind = z.enum([
  'accepted',
  'released',
  'picked-up',
  'delivered',
  'approval-due',
  'approved',
  'cancelled',
  'attempt',
  'wrong-code',
  'returning',
  'dispute',
  'application',
  'new-job',
  'office-dispute',
  'office-application',
  'office-money',
  'office-server',
])
export type NotificationKind = z.infer<typeof NotificationKind>

/** What admins are told of (R224, R225). */
export type OfficeKind = Extract<NotificationKind, `office-${string}`>

/** A change of the settings: each kind on or off, the routes and the hours as a whole. */
export type NotificationChange = {
  kinds?: Record<string, boolean>
  routes?: NotifiedRoute[]
  quiet?: QuietHours
}

/** At most so many routes (R120). */
export const maxNotifiedRoutes = 10

/** Nobody is told of new jobs between these hours unless they choose others (R120). */
export const defaultQuiet: QuietHours = { from: 21, to: 6 }

const ofSender: NotificationKind[] = [
  'accepted',
  'picked-up',
  'delivered',
  'approval-due',
  'attempt',
  'wrong-code',
  'returning',
  'released',
  'approved',
  'cancelled',
  'dispute',
]
const ofDriver: NotificationKind[] = [
  'new-job',
  'approved',
  'cancelled',
  'returning',
  'dispute',
  'application',
]

export const isOfOffice = (kind: NotificationKind): kind is OfficeKind => kind.startsWith('office-')
const ofOffice = NotificationKind.options.filter(isOfOffice)

/** The kinds that can reach this person, in the order of a delivery. */
export const kindsFor = (role: string): NotificationKind[] =>
  role === 'driver'
    ? [...new Set([...ofDriver, ...ofSender])]
    : role === 'admin'
      ? ofOffice
      : role === 'support'
        ? []
        : [...ofSender]

/** Whether a person with these settings is told of this kind. */
export const isOn = (settings: NotificationSettings | undefined, kind: NotificationKind): boolean =>
  !settings?.off?.includes(kind)

/** The settings after a change. */
export function changed(
  settings: NotificationSettings,
  { kinds = {}, routes, quiet }: NotificationChange,
): NotificationSettings {
  const off = new Set(settings.off)
  for (const [kind, on] of Object.entries(kinds)) on ? off.delete(kind) : off.add(kind)
  return {
    ...settings,
    off: [...off].sort(),
    ...(routes ? { routes } : {}),
    ...(quiet ? { quiet } : {}),
  }
}

/** Whether it is a quiet hour (R120). Ghana's time is UTC. */
export function isQuiet(at: Date, { from, to } = defaultQuiet): boolean {
  const hour = at.getUTCHours()
  return from <= to ? hour >= from && hour < to : hour >= from || hour < to
}
