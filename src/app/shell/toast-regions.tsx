import { Suspense, useEffect, useRef, useState } from 'react'
import { hasNews, outboxSummary } from '#store/queries/queries.ts'
import { setSendingEntries } from '../browser/update/reload-guard.ts'
import { lazyPart } from '../components/page/lazy-part.tsx'
import { useLive, useOwn } from '../hooks/use-live.ts'
import { useToasts } from '../toasts.ts'
import type { Regions } from './toaster.tsx'

/** Without the toaster's code a toast stays queued and nothing is drawn. */
const NoToaster = () => null
const Toaster = lazyPart(() => import('./toaster.tsx'), NoToaster)

/**
 * The live regions of toasts (R81). They are mounted empty, because some screen readers do not announce a
 * region that appears together with its text; the code that fills them is loaded with the first toast.
 */
export function ToastRegions() {
  const section = useRef<HTMLElement>(null)
  const status = useRef<HTMLDivElement>(null)
  const alert = useRef<HTMLDivElement>(null)
  const now = useToasts((stack) => stack.now)
  const hasToTell = useLive(hasNews)
  const summary = useOwn(outboxSummary)
  const [regions, setRegions] = useState<Regions>()
  const sending = summary?.sending ?? 0
  const isNeeded = now !== undefined || sending > 0 || hasToTell === true
  useEffect(() => setSendingEntries(sending), [sending])
  useEffect(() => {
    if (!isNeeded || !status.current || !alert.current) return
    const elements = { status: status.current, alert: alert.current }
    setRegions((before) => before ?? elements)
  }, [isNeeded])
  useEffect(() => {
    if (now) showOnTop(section.current)
  }, [now])
  return (
    <section
      ref={section}
      popover="manual"
      aria-label="Notifications"
      className="pointer-events-none fixed inset-x-0 top-0 bottom-auto z-50 m-0 w-full max-w-full justify-items-center overflow-visible border-0 bg-transparent px-3 pt-[max(0.25rem,env(safe-area-inset-top))] text-ink open:grid md:justify-items-end md:px-6"
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

/** Puts the section above everything, open dialogs too. A browser without popovers leaves it where it is. */
function showOnTop(section: HTMLElement | null) {
  if (!section?.showPopover) return
  if (section.matches(':popover-open')) section.hidePopover()
  section.showPopover()
}
