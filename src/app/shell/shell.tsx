import {
  type ReactNode,
  Suspense,
  startTransition,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router-dom'
import { viewer } from '#store/queries/account/viewer.ts'
import { storedDeliveries, viewerSession } from '#store/queries/queries.ts'
import { accountOf } from '#store/session.ts'
import { hasLiveFlag } from '../browser/first-page.ts'
import { firstScreen } from '../browser/first-screen.ts'
import { removeFromSession } from '../browser/json-storage.ts'
import { isUpdateReady, onUpdateReady } from '../browser/update/update-ready.ts'
import { preloadNow } from '../components/now/with-now.tsx'
import { lazyPart } from '../components/page/lazy-part.tsx'
import { useLive, useWatch } from '../hooks/use-live.ts'
import { useSoma } from '../hooks/use-soma.ts'
import { VisitorContext } from '../hooks/use-visitor.ts'
import { hasBars, paths, redirectFor, visitorOf } from '../paths.ts'
import { preloadScreen } from '../routes.tsx'
import { toast } from '../toasts.ts'
import { SkipLink, WithBars } from './bars.tsx'
import { Opened, Opening } from './opening.tsx'
import { ToastRegions } from './toast-regions.tsx'

const UpdateBar = lazyPart(() => import('./update-bar.tsx'), NoBar)

const UpdateReadyBar = lazyPart(() => import('./update-ready-bar.tsx'), NoBar)

const InterruptedBar = lazyPart(() => import('./interrupted-bar.tsx'), NoBar)

/** Not loaded for want of a network, it could not do anything either. */
function NoBar() {
  return null
}

/** Milliseconds in which a lost database usually opens again by itself (S84). */
const longestLoss = 15_000

/** Milliseconds for which the first screen's own script is waited for. */
const longestPreload = 500

/** The frame around every screen. It draws no screen and redirects nobody before the session is loaded. */
export function Shell({ children }: { children: ReactNode }) {
  const viewing = useLive(viewer)
  const stored = useLive(storedDeliveries)
  const isReady = useSyncExternalStore(onUpdateReady, isUpdateReady)
  const { pathname } = useLocation()
  const user = viewing?.session?.user
  useWatch(user?.role === 'driver' ? { kind: 'driverStatus' } : undefined)
  const settled = useSessionSettled(user !== undefined)
  useClearSessionTexts(user?.ID)
  const isInterrupted = useInterrupted()
  useOpenedNotification()
  useEffect(() => {
    if (stored === 'under-way') hasLiveFlag.set(true)
    else if (stored) hasLiveFlag.remove()
  }, [stored])
  useEffect(() => {
    if (user?.ID !== undefined) void firstScreen().then(preloadNow)
  }, [user?.ID])
  const isOpen = useOpened(viewing !== undefined && stored !== undefined)
  if (viewing === undefined || stored === undefined || !isOpen) return <Opening />
  const { session, isTooOld } = viewing
  if (session === null && !settled) return <Opening />
  const visitor = visitorOf(user)
  const redirect = redirectFor(pathname, visitor)
  return (
    <VisitorContext
      value={{
        visitor,
        user,
        account: accountOf(session),
        expired: session?.expired === true,
        hasDeliveries: stored !== 'none',
        hasLive: stored === 'under-way',
      }}
    >
      <Opened />
      <SkipLink />
      {isInterrupted && (
        <Suspense>
          <InterruptedBar />
        </Suspense>
      )}
      {(isTooOld || isReady) && (
        <Suspense>{isTooOld ? <UpdateBar /> : <UpdateReadyBar />}</Suspense>
      )}
      {redirect ? (
        <Redirected from={pathname} to={redirect} />
      ) : hasBars(pathname) ? (
        <WithBars>{children}</WithBars>
      ) : (
        children
      )}
      <ToastRegions />
    </VisitorContext>
  )
}

/**
 * Whether the first screen is drawn: once all is loaded and its own script, which is waited for a moment, so that no
 * placeholder is drawn first. As a transition React draws it in slices, between which a tap is answered.
 */
function useOpened(isLoaded: boolean): boolean {
  const { pathname } = useLocation()
  const [isOpen, setIsOpen] = useState(false)
  const [preloaded] = useState(() => Promise.race([preloadScreen(pathname), wait(longestPreload)]))
  useEffect(() => {
    if (isLoaded) void preloaded.then(() => startTransition(() => setIsOpen(true)))
  }, [isLoaded, preloaded])
  return isOpen
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Whether the database has been lost for so long that it may not open again. */
function useInterrupted(): boolean {
  const { db } = useSoma()
  const [isInterrupted, setIsInterrupted] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    return db.followLost((isLost) => {
      clearTimeout(timer)
      if (!isLost) return setIsInterrupted(false)
      void InterruptedBar.preload()
      timer = setTimeout(() => setIsInterrupted(true), longestLoss)
    })
  }, [db])
  return isInterrupted
}

/** Removes an account's typed texts from session storage when its session ends, in whichever way. */
function useClearSessionTexts(account: string | undefined): void {
  useEffect(() => (account ? () => removeFromSession(`typed:${account}:`) : undefined), [account])
}

/** Goes where a tapped notification leads, in the page that is open already (sw/push.ts). */
function useOpenedNotification(): void {
  const navigate = useNavigate()
  useEffect(() => {
    const { serviceWorker } = navigator
    const onMessage = ({ data }: MessageEvent) => {
      if (data?.type === 'OPEN') void navigate(data.path)
    }
    serviceWorker?.addEventListener('message', onMessage)
    return () => serviceWorker?.removeEventListener('message', onMessage)
  }, [navigate])
}

/** Whether the absence of a session is final: a token in local storage may still be checked. */
function useSessionSettled(somebody: boolean): boolean {
  const { db, settled } = useSoma()
  const [isSettled, setIsSettled] = useState(false)
  useEffect(() => {
    if (somebody) setIsSettled(true)
  }, [somebody])
  useEffect(() => {
    // The live query may not have returned a session that was just restored.
    void settled.then(async () => (await viewerSession(db)) ?? setIsSettled(true))
  }, [db, settled])
  return isSettled
}

/** Redirects. A person who is no driver gets a toast with the reason (R3). */
function Redirected({ from, to }: { from: string; to: string }) {
  const denied = from === paths.driverPending && to === paths.home
  useEffect(() => {
    if (!denied) return
    toast({
      title: 'Access Denied',
      text: 'Access denied. Driver account required.',
      destructive: true,
    })
  }, [denied])
  return <Navigate to={to} replace />
}
