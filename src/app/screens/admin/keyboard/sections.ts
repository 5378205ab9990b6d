import type { IconName } from '../../../components/text/icon.tsx'
import { useIsSupport } from '../../../hooks/use-visitor.ts'
import { paths } from '../../../paths.ts'
import { colleaguesPath, moneyPath, supportPath } from '../links.ts'

type Section = {
  to: string
  label: string
  icon: IconName
  key: string
  /** Not for support (R210). */
  isForAdmins?: true
}

/** The admin area's sections; `key` opens one after `g`. */
const sections: readonly Section[] = [
  { to: paths.admin, label: 'Dashboard', icon: 'grid', key: 'h' },
  { to: paths.adminDeliveries, label: 'Deliveries', icon: 'box', key: 'd' },
  { to: paths.adminDrivers, label: 'Drivers', icon: 'car', key: 'i' },
  { to: paths.adminUsers, label: 'Users', icon: 'people', key: 'u' },
  { to: paths.adminDisputes, label: 'Disputes', icon: 'flag', key: 'c' },
  { to: moneyPath, label: 'Money', icon: 'money', key: 'm', isForAdmins: true },
  { to: paths.adminAudit, label: 'Audit log', icon: 'clock', key: 'l' },
  { to: colleaguesPath, label: 'Colleagues', icon: 'shield', key: 'o', isForAdmins: true },
  { to: supportPath, label: 'Support', icon: 'chat', key: 't' },
  { to: paths.adminSettings, label: 'Settings', icon: 'settings', key: 'e', isForAdmins: true },
]

/** The sections that are open to whoever is logged in. */
export const useSections = (): readonly Section[] => {
  const isSupport = useIsSupport()
  return isSupport ? sections.filter(({ isForAdmins }) => !isForAdmins) : sections
}
