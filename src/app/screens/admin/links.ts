import { paths } from '../../paths.ts'

/** The applications to decide on, one at a time. */
export const reviewPath = `${paths.adminDrivers}/review`
/** Applications as a list, which support reads, too. */
export const pendingDriversPath = `${paths.adminDrivers}?status=pending`
export const moneyPath = '/admin/money'
/** The search over everything, `?q=` what is looked for. */
export const searchPath = '/admin/search'
export const colleaguesPath = '/admin/colleagues'
export const supportPath = '/admin/support'
/** A delivery, open beside the list. */
export const deliveryPath = (id: string) =>
  `${paths.adminDeliveries}?open=${encodeURIComponent(id)}`
export const userPath = (id: string) => `${paths.adminUsers}/${encodeURIComponent(id)}`
export const disputePath = (id: string) => `${paths.adminDisputes}/${encodeURIComponent(id)}`
