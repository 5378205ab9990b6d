import { paths } from '../../paths.ts'

export const supportPath = '/admin/support'
export const userPath = (id: string) => `${paths.adminUsers}/${encodeURIComponent(id)}`
export const disputePath = (id: string) => `${paths.adminDisputes}/${encodeURIComponent(id)}`
