import { type ReactNode, useEffect, useRef } from 'react'
import { Link, NavLink, Route, Routes, useLocation } from 'react-router-dom'
import { Brand } from '../../components/page/logo.tsx'
import { MainLandmark } from '../../components/page/main-landmark.tsx'
import { Kente } from '../../components/page/skeleton.tsx'
import { SyncPill } from '../../components/page/sync-pill.tsx'
import { Icon, type IconName } from '../../components/text/icon.tsx'
import { paths } from '../../paths.ts'
import NotFound from '../not-found/page.tsx'
import { Audit } from './audit/audit.tsx'
import { Dashboard } from './dashboard/dashboard.tsx'
import { Deliveries } from './deliveries/deliveries.tsx'
import { DisputePage } from './disputes/dispute.tsx'
import { Disputes } from './disputes/disputes.tsx'
import { supportPath } from './links.ts'
import { Drivers } from './people/drivers.tsx'
import { UserPage } from './people/user.tsx'
import { Users } from './people/users.tsx'
import { Settings } from './settings.tsx'
import { Support } from './support/support.tsx'

/** The admin area, with a header and paths of its own (R3). */
export default function Admin() {
  return (
    <Frame>
      <Routes>
        <Route index element={<Dashboard />} />
        <Route path="deliveries" element={<Deliveries />} />
        <Route path="drivers" element={<Drivers />} />
        <Route path="users" element={<Users />} />
        <Route path="users/:id" element={<UserPage />} />
        <Route path="disputes" element={<Disputes />} />
        <Route path="disputes/:id" element={<DisputePage />} />
        <Route path="audit" element={<Audit />} />
        <Route path="support" element={<Support />} />
        <Route path="settings" element={<Settings />} />
        <Route path="*" element={<NotFound />} />
      </Routes>
    </Frame>
  )
}

const sections: { to: string; label: string; icon: IconName }[] = [
  { to: paths.admin, label: 'Dashboard', icon: 'grid' },
  { to: paths.adminDeliveries, label: 'Deliveries', icon: 'box' },
  { to: paths.adminDrivers, label: 'Drivers', icon: 'car' },
  { to: paths.adminUsers, label: 'Users', icon: 'people' },
  { to: paths.adminDisputes, label: 'Disputes', icon: 'flag' },
  { to: paths.adminAudit, label: 'Audit log', icon: 'clock' },
  { to: supportPath, label: 'Support', icon: 'chat' },
  { to: paths.adminSettings, label: 'Settings', icon: 'settings' },
]

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="min-h-dvh bg-desk lg:grid lg:grid-cols-[13rem_1fr]">
      <header className="bg-green-deep pt-[env(safe-area-inset-top)] text-white lg:sticky lg:top-0 lg:h-dvh">
        <Kente />
        <div className="flex items-center justify-between gap-2 px-4 py-1 lg:py-4">
          <Link to={paths.home} className="flex min-h-12 items-center">
            <Brand />
          </Link>
          <Link
            to={paths.profile}
            aria-label="Profile"
            className="grid size-12 place-items-center rounded-full"
          >
            <Icon name="person" />
          </Link>
        </div>
        <Sections />
      </header>
      <MainLandmark className="w-full min-w-0 px-4 pt-3 pb-12 lg:px-7 lg:pt-5">
        <div className="flex justify-end">
          <SyncPill />
        </div>
        {children}
      </MainLandmark>
    </div>
  )
}

/**
 * The links: a row that scrolls sideways on a phone, with the current link in view, and a column on a wide
 * screen.
 */
function Sections() {
  const ref = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current link changes with the path.
  useEffect(() => {
    ref.current
      ?.querySelector('[aria-current=page]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [pathname])
  return (
    <nav
      ref={ref}
      aria-label="Admin"
      className="flex gap-1 overflow-x-auto px-3 pb-2 [scrollbar-width:none] lg:grid"
    >
      {sections.map(({ to, label, icon }) => (
        <NavLink
          key={to}
          to={to}
          end={to === paths.admin}
          className="flex min-h-12 shrink-0 items-center gap-2.5 rounded-control px-3.5 font-semibold text-mint aria-[current=page]:bg-white/15 aria-[current=page]:text-white"
        >
          <Icon name={icon} className="size-5" />
          {label}
        </NavLink>
      ))}
    </nav>
  )
}
