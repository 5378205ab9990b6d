import type { DriverStatus, User } from '#domain/user.ts'

/*
 * Where things are and who may be there (spec §2). Pure: the router, the bars and the tests all
 * read these tables.
 */

export const paths = {
  home: '/',
  send: '/send',
  drive: '/drive',
  driverPending: '/driver-pending',
  auth: '/auth',
  room: '/delivery/:id',
  profile: '/profile',
  outbox: '/outbox',
  admin: '/admin',
  adminDeliveries: '/admin/deliveries',
  adminDrivers: '/admin/drivers',
  adminUsers: '/admin/users',
  adminDisputes: '/admin/disputes',
  adminAudit: '/admin/audit',
  adminSettings: '/admin/settings',
} as const

export const roomPath = (id: string) => `/delivery/${encodeURIComponent(id)}`

/** Everybody there is, as far as screens differ. `driver`: not approved (yet). */
export type Visitor = 'guest' | 'sender' | 'driver' | 'approvedDriver' | 'admin' | 'user'
export const visitors: readonly Visitor[] = [
  'guest',
  'sender',
  'driver',
  'approvedDriver',
  'admin',
  'user',
]

/** `status` is what the last check of the driver's status said, when there was one. */
export function visitorOf(user: User | undefined, status?: DriverStatus | null): Visitor {
  if (!user) return 'guest'
  if (user.role !== 'driver') return user.role
  return (status ?? user.driverStatus) === 'approved' ? 'approvedDriver' : 'driver'
}

/** Where a visitor is sent instead; a visitor not named may stay. */
const guards: Record<string, Partial<Record<Visitor, string>>> = {
  [paths.driverPending]: {
    guest: paths.auth,
    approvedDriver: paths.drive,
    sender: paths.home,
    admin: paths.home,
    user: paths.home,
  },
  [paths.profile]: { guest: paths.auth },
  [paths.admin]: {
    guest: paths.auth,
    sender: paths.home,
    driver: paths.home,
    approvedDriver: paths.home,
    user: paths.home,
  },
}

/** The path to go to instead of `pathname`, or nothing when the visitor may stay. */
export function redirectFor(pathname: string, visitor: Visitor): string | undefined {
  const guarded = Object.keys(guards).find((path) => isWithin(pathname, path))
  return guarded === undefined ? undefined : guards[guarded]?.[visitor]
}

/** Where a person lands after logging in. */
export const landing: Record<Visitor, string> = {
  guest: paths.home,
  sender: paths.send,
  driver: paths.driverPending,
  approvedDriver: paths.drive,
  admin: paths.admin,
  user: paths.home,
}

export type Tab = 'home' | 'send' | 'drive'

/** What top bar and tab bar list, in their order. */
export const tabsOf: Record<Visitor, readonly Tab[]> = {
  guest: ['home', 'send'],
  sender: ['send'],
  driver: ['home'],
  approvedDriver: ['home', 'send', 'drive'],
  admin: ['home', 'send'],
  user: ['home', 'send'],
}

export const brandPath = (visitor: Visitor): string =>
  visitor === 'sender' ? paths.send : paths.home

/** Delivery room and admin area bring a header of their own. */
export const hasBars = (pathname: string): boolean =>
  !isWithin(pathname, '/delivery') && !isWithin(pathname, paths.admin)

const isWithin = (pathname: string, path: string) =>
  pathname === path || pathname.startsWith(`${path}/`)
