import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

/**
 * The path shown last. The bars, the room and the admin area mount a landmark each, so state would not
 * survive.
 */
let shownPath: string | undefined

/**
 * The main landmark. It takes the focus when the path changes, so that a screen reader starts with the new
 * screen.
 */
export function MainLandmark({ className, children }: { className: string; children: ReactNode }) {
  const ref = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const way = useNavigationType()
  // With the new screen, not after it: whoever types at once keeps the field they type in.
  useLayoutEffect(() => {
    const before = shownPath
    shownPath = pathname
    if (before === undefined || before === pathname) return
    // On back and forward the browser restores the scroll position.
    if (way !== 'POP') window.scrollTo(0, 0)
    ref.current?.focus({ preventScroll: true })
  }, [pathname, way])
  return (
    <main id="main" ref={ref} tabIndex={-1} className={className}>
      {children}
    </main>
  )
}
