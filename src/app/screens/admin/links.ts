import { paths } from '../../paths.ts'

/** The applications to decide on, one at a time. */
export const reviewPath = `${paths.adminDrivers}/review`
export const supportPath = '/admin/support'
export const userPath = (id: string) => `${paths.adminUsers}/${encodeURIComponent(id)}`
export const disputePath = (id: string) => `${paths.adminDisputes}/${encodeURIComponent(id)}`
