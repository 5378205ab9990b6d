import { type ReactNode, useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { currentSession, driverStatus } from '#store/queries/queries.ts'
import { removeFromSession } from '../browser/json-storage.ts'
import { Brand } from '../components/page/logo.tsx'
import { MainLandmark } from '../components/page/main-landmark.tsx'
import { Kente, Skeleton } from '../components/page/skeleton.tsx'
import { useLive, useWatch } from '../hooks/use-live.ts'
import { useSoma } from '../hooks/use-soma.ts'
import { VisitorContext } from '../hooks/use-visitor.ts'
import { hasBars, paths, redirectFor, visitorOf } from '../paths.ts'
import { SignInAgain, TabBar, TopBar } from './bars.tsx'
import { ToastRegions } from './toast-regions.tsx'
import { toast } from './toasts.ts'

/** Everything around a screen. Nothing is drawn, and nobody redirected, before the session is known. */
export function Shell({ children }: { children: ReactNode }) {
  const session = useLive(currentSession)
  const status = useLive(driverStatus)
  const { pathname } = useLocation()
  const user = session?.user
  useWatch(user?.role === 'driver' ? { kind: 'driverStatus' } : undefined)
  const settled = useSessionSettled(user !== undefined)
  useClearSessionTexts(user?.ID)
  if (session === undefined || status === undefined) return <Opening />
  if (session === null && !settled) return <Opening />
  const visitor = visitorOf(user, status)
  const redirect = redirectFor(pathname, visitor)
  return (
    <VisitorContext value={{ visitor, user, expired: session?.expired === true }}>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-card focus:p-3"
      >
        Skip to content
      </a>
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

/** What somebody typed in this tab goes when they do, however their login ended. */
function useClearSessionTexts(account: string | undefined): void {
  useEffect(() => (account ? () => removeFromSession(`typed:${account}:`) : undefined), [account])
}

/** Whether nobody being logged in can be believed: a token in local storage may still be asked about. */
function useSessionSettled(somebody: boolean): boolean {
  const { db, settled } = useSoma()
  const [isSettled, setIsSettled] = useState(false)
  useEffect(() => {
    if (somebody) setIsSettled(true)
  }, [somebody])
  useEffect(() => {
    // Whoever was taken over a moment ago may not have reached the screen yet.
    void settled.then(async () => (await currentSession(db)) ?? setIsSettled(true))
  }, [db, settled])
  return isSettled
}

/** The first instant, before this phone knows who is there: the frame alone, as in index.html. */
function Opening() {
  return (
    <div className="pt-[env(safe-area-inset-top)]">
      <Kente />
      <div className="mx-auto grid max-w-4xl gap-4 px-4 py-1.5 md:px-6">
        <span className="flex min-h-12 items-center">
          <Brand />
        </span>
        <Skeleton className="h-48 rounded-hero" />
      </div>
    </div>
  )
}

/** The guard's way out; whoever is no driver hears why they do not see the driver's page (spec §2). */
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

function WithBars({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <TopBar />
      <SignInAgain />
      <MainLandmark className="mx-auto w-full max-w-4xl flex-1 px-4 pt-2 pb-28 md:px-6 md:pb-12">
        {children}
      </MainLandmark>
      <TabBar />
    </div>
  )
}
