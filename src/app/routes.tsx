import { Suspense } from 'react'
import { Route, Routes } from 'react-router-dom'
import { lazyPart } from './components/page/lazy-part.tsx'
import { ScreenLoading } from './components/page/skeleton.tsx'
import { paths } from './paths.ts'
import Home from './screens/home/page.tsx'

const Send = lazyPart(() => import('./screens/send/page.tsx'))
const Drive = lazyPart(() => import('./screens/drive/page.tsx'))
const DriverPending = lazyPart(() => import('./screens/driver-pending/page.tsx'))
const Room = lazyPart(() => import('./screens/room/page.tsx'))
const Auth = lazyPart(() => import('./screens/auth/page.tsx'))
const Profile = lazyPart(() => import('./screens/profile/page.tsx'))
const Deliveries = lazyPart(() => import('./screens/deliveries/page.tsx'))
const Outbox = lazyPart(() => import('./screens/outbox/page.tsx'))
const Admin = lazyPart(() => import('./screens/admin/page.tsx'))
const NotFound = lazyPart(() => import('./screens/not-found/page.tsx'))

/** Each screen at its path (R3). All but Home are loaded when they are first opened. */
export function Screens() {
  return (
    <Suspense fallback={<ScreenLoading />}>
      <Routes>
        <Route path={paths.home} element={<Home />} />
        <Route path={paths.send} element={<Send />} />
        <Route path={paths.drive} element={<Drive />} />
        <Route path={paths.driverPending} element={<DriverPending />} />
        <Route path={paths.auth} element={<Auth />} />
        <Route path="/delivery/:id?" element={<Room />} />
        <Route path={paths.profile} element={<Profile />} />
        <Route path={paths.deliveries} element={<Deliveries />} />
        <Route path={paths.outbox} element={<Outbox />} />
        <Route path={`${paths.admin}/*`} element={<Admin />} />
        <Route path="*" element={<NotFound />} />
      </Routes>
    </Suspense>
  )
}
