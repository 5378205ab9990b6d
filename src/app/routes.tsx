import { lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router-dom'
import { Loading } from './components/frame.tsx'
import { paths } from './paths.ts'
import Home from './screens/home.tsx'

const Send = lazy(() => import('./screens/send.tsx'))
const Drive = lazy(() => import('./screens/drive.tsx'))
const DriverPending = lazy(() => import('./screens/driver-pending.tsx'))
const Room = lazy(() => import('./screens/room.tsx'))
const Auth = lazy(() => import('./screens/auth.tsx'))
const Profile = lazy(() => import('./screens/profile.tsx'))
const Outbox = lazy(() => import('./screens/outbox.tsx'))
const Admin = lazy(() => import('./screens/admin/admin.tsx'))
const NotFound = lazy(() => import('./screens/not-found.tsx'))

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
