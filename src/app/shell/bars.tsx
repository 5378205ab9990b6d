import { type ReactNode, Suspense } from 'react'
import { useLocation } from 'react-router-dom'
import { outboxSummary } from '#store/queries/queries.ts'
import { ButtonLink } from '../components/forms/button.tsx'
import { Link, NavLink } from '../components/forms/link.tsx'
import { lazyPart } from '../components/page/lazy-part.tsx'
import { Brand } from '../components/page/logo.tsx'
import { MainLandmark } from '../components/page/main-landmark.tsx'
import { Kente } from '../components/page/skeleton.tsx'
import { SyncPill } from '../components/page/sync-pill.tsx'
import { Icon, type IconName } from '../components/text/icon.tsx'
import { useOwn } from '../hooks/use-live.ts'
import { useVisitor } from '../hooks/use-visitor.ts'
import { brandPath, paths, type Tab, tabsFor } from '../paths.ts'

const NumberLost = lazyPart(
  () => import('./number-lost.tsx'),
  () => null,
)

const tabs: Record<Tab, { to: string; label: string; icon: IconName }> = {
  home: { to: paths.home, label: 'Home', icon: 'home' },
  send: { to: paths.send, label: 'Send', icon: 'box' },
  drive: { to: paths.drive, label: 'Drive', icon: 'car' },
  deliveries: { to: paths.deliveries, label: 'Deliveries', icon: 'list' },
}

/** A screen between the bars. */
export function WithBars({ children }: { children: ReactNode }) {
  return (
    <div className="flex full-height flex-col">
      <TopBar />
      <MainLandmark className="mx-auto w-full page-width flex-1 px-4 pt-2 pb-28 md:px-6 md:pb-12">
        <SignInAgain />
        <LostNumber />
        {children}
      </MainLandmark>
      <TabBar />
    </div>
  )
}

export const SkipLink = () => (
  <a
    href="#main"
    className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-card focus:p-3"
  >
    Skip to content
  </a>
)

function TopBar() {
  const { visitor, user, hasDeliveries } = useVisitor()
  return (
    <header className="sticky top-0 z-30 bg-paper pt-[env(safe-area-inset-top)]">
      <Kente />
      <div className="mx-auto flex w-full page-width flex-wrap items-center gap-1 px-4 py-1.5 md:px-6">
        <Link to={brandPath(visitor)} className="flex min-h-12 shrink-0 items-center">
          <Brand />
        </Link>
        {/* With large text the pill's words wrap before anything moves to a line of its own. */}
        <div className="flex flex-1 items-center justify-end gap-1">
          <SyncPill />
          <nav aria-label="Main" className="hidden items-center gap-1 md:flex">
            {tabsFor(visitor, hasDeliveries).map((tab) => (
              <NavLink
                key={tab}
                to={tabs[tab].to}
                className="grid min-h-12 place-items-center rounded-control px-4 font-semibold text-soft aria-[current=page]:bg-green-wash aria-[current=page]:text-green"
              >
                {tabs[tab].label}
              </NavLink>
            ))}
          </nav>
          {visitor === 'admin' && <IconLink to={paths.admin} label="Admin" icon="shield" />}
          {user && <IconLink to={paths.profile} label="Profile" icon="person" />}
          {!user && (
            <ButtonLink look="line" tight to={paths.auth}>
              Login
            </ButtonLink>
          )}
        </div>
      </div>
    </header>
  )
}

function IconLink({ to, label, icon }: { to: string; label: string; icon: IconName }) {
  return (
    <NavLink
      to={to}
      aria-label={label}
      className="grid size-12 shrink-0 place-items-center rounded-full text-ink hover:bg-green-wash aria-[current=page]:text-green"
    >
      <Icon name={icon} />
    </NavLink>
  )
}

function TabBar() {
  const { visitor, hasDeliveries } = useVisitor()
  return (
    <nav
      aria-label="Tabs"
      className="fixed inset-x-0 bottom-0 z-40 flex border-t border-line bg-card pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {tabsFor(visitor, hasDeliveries).map((tab) => (
        <NavLink
          key={tab}
          to={tabs[tab].to}
          className="grid min-h-16 min-w-0 flex-1 content-center justify-items-center gap-0.5 text-[min(0.8125rem,3.6vw)] font-semibold text-soft aria-[current=page]:text-green"
        >
          <Icon name={tabs[tab].icon} />
          {tabs[tab].label}
        </NavLink>
      ))}
    </nav>
  )
}

/** Where the phone number of this person has a new owner (R145). */
function LostNumber() {
  const { user, expired } = useVisitor()
  const { pathname } = useLocation()
  const isLost = user && !user.Verified && user.phone_number === ''
  if (!isLost || expired || pathname === paths.profile) return null
  return (
    <Suspense>
      <NumberLost />
    </Suspense>
  )
}

/** Asks for a login after the session has ended (R12). The outbox waits until then. */
function SignInAgain() {
  const { expired } = useVisitor()
  const summary = useOwn(outboxSummary)
  const { pathname } = useLocation()
  if (!expired || !summary || pathname === paths.auth) return null
  const { unsent } = summary
  const text =
    unsent > 0
      ? `Sign in to send ${unsent} saved item${unsent === 1 ? '' : 's'}`
      : 'Please sign in again'
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-2 rounded-card bg-red-wash p-3 pl-4">
      <strong>{text}</strong>
      <ButtonLink to={paths.auth}>Login</ButtonLink>
    </div>
  )
}
