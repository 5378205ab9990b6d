import { isOffice, type User } from '#domain/users/user.ts'

/* The paths of the screens, and who reaches them (R2, R3). */

export const paths = {
  home: '/',
  send: '/send',
  drive: '/drive',
  driverPending: '/driver-pending',
  auth: '/auth',
  invitation: '/invitation',
  room: '/delivery/:id',
  profile: '/profile',
  outbox: '/outbox',
  deliveries: '/deliveries',
  admin: '/admin',
  adminDeliveries: '/admin/deliveries',
  adminDrivers: '/admin/drivers',
  adminUsers: '/admin/users',
  adminDisputes: '/admin/disputes',
  adminAudit: '/admin/audit',
  adminSettings: '/admin/settings',
} as const

/** Where a driver changes their commutes (R166). */
export const commutesPath = `${paths.profile}#commutes`

/** Where a guest whose phone forgot gets their deliveries back (R109). */
export const guestRecoveryPath = `${paths.auth}?step=guest`
/** Where a guest deletes what they sent (R216). */
export const guestErasurePath = `${paths.auth}?step=erase`
/** As `guestRecoveryPath`, for a number that is known. */
export const recoveryPathOf = (phone: string): string => `${guestRecoveryPath}&phone=${phone}`

export const roomPath = (id: string) => `/delivery/${encodeURIComponent(id)}`

/** The kinds of people that screens distinguish. `driver`: not approved. `admin`: whoever works at the office. */
export type Visitor = 'guest' | 'sender' | 'driver' | 'approvedDriver' | 'admin' | 'user'
export const visitors: readonly Visitor[] = [
  'guest',
  'sender',
  'driver',
  'approvedDriver',
  'admin',
  'user',
]

/** Who this is to the app (R4). */
export function visitorOf(user: User | undefined): Visitor {
  if (!user) return 'guest'
  if (isOffice(user)) return 'admin'
  if (user.role !== 'driver') return user.role as 'sender' | 'user'
  return user.driverStatus === 'approved' ? 'approvedDriver' : 'driver'
}

/** Where a visitor is redirected from a path; a visitor who is not listed stays (R3). */
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

/** The path to redirect to, or undefined when the visitor may stay (R3). */
export function redirectFor(pathname: string, visitor: Visitor): string | undefined {
  const guarded = Object.keys(guards).find((path) => isWithin(pathname, path))
  return guarded === undefined ? undefined : guards[guarded]?.[visitor]
}

/** The screen after a login (R2). */
export const landing: Record<Visitor, string> = {
  guest: paths.home,
  sender: paths.send,
  driver: paths.driverPending,
  approvedDriver: paths.drive,
  admin: paths.admin,
  user: paths.home,
}

export type Tab = 'home' | 'send' | 'drive' | 'deliveries'

/** The links that depend on who somebody is, in order (R3). */
const tabsOf: Record<Visitor, readonly Tab[]> = {
  guest: ['home', 'send'],
  sender: ['send'],
  driver: ['home'],
  approvedDriver: ['home', 'send', 'drive'],
  admin: ['home', 'send'],
  user: ['home', 'send'],
}

/** The links of the bars, in order: Deliveries for whoever has any (R3). */
export const tabsFor = (visitor: Visitor, hasDeliveries: boolean): readonly Tab[] =>
  hasDeliveries ? [...tabsOf[visitor], 'deliveries'] : tabsOf[visitor]

export const brandPath = (visitor: Visitor): string =>
  visitor === 'sender' ? paths.send : paths.home

/** Whether the screen has the bars. The delivery room and the admin area have a header of their own. */
export const hasBars = (pathname: string): boolean =>
  !isWithin(pathname, '/delivery') && !isWithin(pathname, paths.admin)

const isWithin = (pathname: string, path: string) =>
  pathname === path || pathname.startsWith(`${path}/`)
