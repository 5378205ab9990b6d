import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { outboxSummary, outcomes } from '#store/queries/queries.ts'
import { noteSending } from '../browser/reload-guard.ts'
import { useLive } from '../hooks/use-live.ts'
import { useToasts } from './toasts.ts'

export type Regions = { status: HTMLElement; alert: HTMLElement }

const Toaster = lazy<ComponentType<Regions>>(() => import('./toaster.tsx'))

/**
 * Where toasts stand. The two regions are there from the start, because one that appears together
 * with its text is not read out everywhere; what fills them is fetched when there is something to say.
 */
export function Notifications() {
  const section = useRef<HTMLElement>(null)
  const status = useRef<HTMLDivElement>(null)
  const alert = useRef<HTMLDivElement>(null)
  const now = useToasts((stack) => stack.now)
  const ended = useLive(outcomes)
  const summary = useLive(outboxSummary)
  const [regions, setRegions] = useState<Regions>()
  const sending = summary?.sending ?? 0
  const wanted = now !== undefined || sending > 0 || (ended !== undefined && ended.length > 0)
  useEffect(() => noteSending(sending), [sending])
  useEffect(() => {
    const { current: polite } = status
    const { current: loud } = alert
    if (wanted && polite && loud) setRegions((known) => known ?? { status: polite, alert: loud })
  }, [wanted])
  useEffect(() => {
    if (now) raise(section.current)
  }, [now])
  return (
    <section
      ref={section}
      popover="manual"
      aria-label="Notifications"
      className="toasts pointer-events-none fixed z-50 m-0 w-full max-w-full justify-items-center overflow-visible border-0 bg-transparent px-3 text-ink open:grid"
    >
      <div ref={status} role="status" className="w-full max-w-md" />
      <div ref={alert} role="alert" className="w-full max-w-md" />
      {regions && (
        <Suspense>
          <Toaster {...regions} />
        </Suspense>
      )}
    </section>
  )
}

/** Above everything, an open dialog too; a browser that knows no popovers shows it in its place. */
function raise(section: HTMLElement | null) {
  if (!section?.showPopover) return
  if (section.matches(':popover-open')) section.hidePopover()
  section.showPopover()
}
