import { type ReactNode, useEffect, useRef } from 'react'
import { SomaContext } from '#app/hooks/use-soma.ts'
import type { Soma } from '#sync/open.ts'
import { Bar } from './bar/bar.tsx'
import { Tour } from './tour/tour.tsx'
import './demo.css'

/**
 * The demo around the app: a bar of its own above it, never over it. The app below is moved down by
 * the bar's height (demo.css), whatever the bar holds just then.
 */
export function Frame({ soma, children }: { soma: Soma; children: ReactNode }) {
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!bar.current) return
    const { style } = document.documentElement
    const size = new ResizeObserver(([entry]) => {
      style.setProperty('--demo-height', `${entry?.target.clientHeight ?? 0}px`)
    })
    size.observe(bar.current)
    return () => size.disconnect()
  }, [])
  return (
    <>
      <SomaContext value={soma}>
        <aside ref={bar} aria-label="Demo" className="demo-frame">
          <Bar />
          <Tour />
        </aside>
      </SomaContext>
      <div className="demo-app">{children}</div>
    </>
  )
}
