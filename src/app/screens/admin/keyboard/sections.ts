import type { IconName } from '../../../components/text/icon.tsx'
import { paths } from '../../../paths.ts'
import { moneyPath, supportPath } from '../links.ts'

/** The admin area's sections; `key` opens one after `g`. */
export const sections: readonly { to: string; label: string; icon: IconName; key: string }[] = [
  { to: paths.admin, label: 'Dashboard', icon: 'grid', key: 'h' },
  { to: paths.adminDeliveries, label: 'Deliveries', icon: 'box', key: 'd' },
  { to: paths.adminDrivers, label: 'Drivers', icon: 'car', key: 'i' },
  { to: paths.adminUsers, label: 'Users', icon: 'people', key: 'u' },
  { to: paths.adminDisputes, label: 'Disputes', icon: 'flag', key: 'c' },
  { to: moneyPath, label: 'Money', icon: 'money', key: 'm' },
  { to: paths.adminAudit, label: 'Audit log', icon: 'clock', key: 'l' },
  { to: supportPath, label: 'Support', icon: 'chat', key: 't' },
  { to: paths.adminSettings, label: 'Settings', icon: 'settings', key: 'e' },
]
