import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

/** The path last shown, whichever frame it stood in. */
let shownPath: string | undefined

/** Where the screen stands; takes the focus when the screen changes, so that reading begins there. */
export function MainLandmark({ className, children }: { className: string; children: ReactNode }) {
  const ref = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const way = useNavigationType()
  useEffect(() => {
    const before = shownPath
    shownPath = pathname
    if (before === undefined || before === pathname) return
    // Going back, the browser itself returns to where the person was reading.
    if (way !== 'POP') window.scrollTo(0, 0)
    ref.current?.focus({ preventScroll: true })
  }, [pathname, way])
  return (
    <main id="main" ref={ref} tabIndex={-1} className={className}>
      {children}
    </main>
  )
}
