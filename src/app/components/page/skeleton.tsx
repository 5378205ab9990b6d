import { useLocation } from 'react-router-dom'
import { hasBars } from '../../paths.ts'
import { Brand } from './logo.tsx'

export function Kente({ className = '' }: { className?: string }) {
  return <div aria-hidden="true" className={`kente ${className}`} />
}

/** A placeholder while something loads. */
export function Skeleton({ className = 'h-24' }: { className?: string }) {
  return <div aria-hidden="true" className={`skeleton w-full ${className}`} />
}

type LoadingProps = {
  /** For screen readers. */
  label?: string
  rows?: number
}

/** Placeholders while a list or a screen's content loads. */
export function Loading({ label = 'Loading…', rows = 3 }: LoadingProps) {
  return (
    <div className="grid gap-3" role="status">
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <Skeleton key={row} className="h-28 rounded-card" />
      ))}
    </div>
  )
}

/** While a screen's script loads: its content below the bars, or all of it where it has no bars. */
export function ScreenLoading() {
  const { pathname } = useLocation()
  return (
    <div role="status">
      <span className="sr-only">Loading…</span>
      {hasBars(pathname) ? <ContentSkeleton /> : <PageSkeleton />}
    </div>
  )
}

/** Bars and content of any screen. The build draws it into index.html (src/first-page.tsx). */
export const PageSkeleton = () => (
  <div aria-hidden="true" className="full-height">
    <div className="pt-[env(safe-area-inset-top)]">
      <Kente />
      <div className="mx-auto flex min-h-15 w-full page-width items-center px-4 md:px-6">
        <Brand />
      </div>
    </div>
    <div className="mx-auto w-full page-width px-4 pt-2 md:px-6">
      <ContentSkeleton />
    </div>
    <div className="fixed inset-x-0 bottom-0 border-t border-line bg-card pb-[env(safe-area-inset-bottom)] md:hidden">
      <div className="h-16" />
    </div>
  </div>
)

/** Nothing of it moves: that would keep a page busy which is loading. */
const ContentSkeleton = () => (
  <div aria-hidden="true" className="grid gap-5 *:rounded-card *:bg-line">
    <div className="h-7 w-3/5" />
    <div className="h-28" />
    <div className="h-28" />
    <div className="h-28" />
  </div>
)
