import { lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router-dom'
import { Loading } from './components/page/skeleton.tsx'
import { paths } from './paths.ts'
import Home from './screens/home/page.tsx'

const Send = lazy(() => import('./screens/send/page.tsx'))
const Drive = lazy(() => import('./screens/drive/page.tsx'))
const DriverPending = lazy(() => import('./screens/driver-pending/page.tsx'))
const Room = lazy(() => import('./screens/room/page.tsx'))
const Auth = lazy(() => import('./screens/auth/page.tsx'))
const Profile = lazy(() => import('./screens/profile/page.tsx'))
const Outbox = lazy(() => import('./screens/outbox/page.tsx'))
const Admin = lazy(() => import('./screens/admin/page.tsx'))
const NotFound = lazy(() => import('./screens/not-found/page.tsx'))

/** Each screen at its path (spec §2). All but Home are fetched when first opened. */
export function Screens() {
  return (
    <Suspense fallback={<Loading />}>
      <Routes>
        <Route path={paths.home} element={<Home />} />
        <Route path={paths.send} element={<Send />} />
        <Route path={paths.drive} element={<Drive />} />
        <Route path={paths.driverPending} element={<DriverPending />} />
        <Route path={paths.auth} element={<Auth />} />
        <Route path="/delivery/:id?" element={<Room />} />
        <Route path={paths.profile} element={<Profile />} />
        <Route path={paths.outbox} element={<Outbox />} />
        <Route path={`${paths.admin}/*`} element={<Admin />} />
        <Route path="*" element={<NotFound />} />
      </Routes>
    </Suspense>
  )
}
