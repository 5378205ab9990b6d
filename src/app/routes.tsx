import { Suspense } from 'react'
import { matchPath, Route, Routes } from 'react-router-dom'
import { lazyPart } from './components/page/lazy-part.tsx'
import { ScreenLoading } from './components/page/skeleton.tsx'
import { paths } from './paths.ts'
import Home from './screens/home/page.tsx'

const Send = lazyPart(() => import('./screens/send/page.tsx'))
const Drive = lazyPart(() => import('./screens/drive/page.tsx'))
const DriverPending = lazyPart(() => import('./screens/driver-pending/page.tsx'))
const Room = lazyPart(() => import('./screens/room/page.tsx'))
const Auth = lazyPart(() => import('./screens/auth/page.tsx'))
const Invitation = lazyPart(() => import('./screens/invitation/page.tsx'))
const Profile = lazyPart(() => import('./screens/profile/page.tsx'))
const Deliveries = lazyPart(() => import('./screens/deliveries/page.tsx'))
const Outbox = lazyPart(() => import('./screens/outbox/page.tsx'))
const Admin = lazyPart(() => import('./screens/admin/page.tsx'))
const NotFound = lazyPart(() => import('./screens/not-found/page.tsx'))

/** The screens that are loaded when they are first opened, by their paths (R3). */
const parts = {
  [paths.send]: Send,
  [paths.drive]: Drive,
  [paths.driverPending]: DriverPending,
  [paths.auth]: Auth,
  [paths.invitation]: Invitation,
  '/delivery/:id?': Room,
  [paths.profile]: Profile,
  [paths.deliveries]: Deliveries,
  [paths.outbox]: Outbox,
  [`${paths.admin}/*`]: Admin,
  '*': NotFound,
}

/** Each screen at its path (R3). */
export function Screens() {
  return (
    <Suspense fallback={<ScreenLoading />}>
      <Routes>
        <Route path={paths.home} element={<Home />} />
        {Object.entries(parts).map(([path, Part]) => (
          <Route key={path} path={path} element={<Part />} />
        ))}
      </Routes>
    </Suspense>
  )
}

/** Loads the screen at a path (R3) before it is drawn. */
export async function preloadScreen(pathname: string): Promise<void> {
  if (pathname === paths.home) return
  const found = Object.entries(parts).find(([path]) => matchPath(path, pathname))
  await found?.[1].preload()
}
