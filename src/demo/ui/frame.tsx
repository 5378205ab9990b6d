import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { SomaContext } from '#app/hooks/use-soma.ts'
import type { Soma } from '#store/open.ts'
import { Bar } from './bar/bar.tsx'
import { useDemoState } from './demo-context.ts'
import { useTour } from './tour/state.ts'
import './demo.css'

const part = () => import('./tour/tour.tsx')
const Tour = lazy(part)
const Applicant = lazy(async () => ({ default: (await part()).Applicant }))

/**
 * The demo's bar above the app. It sets `--demo-height` to the bar's height, by which demo.css moves
 * the app down.
 */
export function Frame({ soma, children }: { soma: Soma; children: ReactNode }) {
  const bar = useRef<HTMLElement>(null)
  const isTouring = useTour(({ shown }) => shown)
  const isApplicant = useDemoState(({ persona }) => persona === 'pending')
  useEffect(() => {
    if (!bar.current) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(([entry]) => {
      style.setProperty('--demo-height', `${entry?.target.clientHeight ?? 0}px`)
    })
    observer.observe(bar.current)
    return () => observer.disconnect()
  }, [])
  return (
    <>
      <SomaContext value={soma}>
        <aside ref={bar} aria-label="Demo" className="demo-frame">
          <Bar />
          <Suspense>{isTouring ? <Tour /> : isApplicant && <Applicant />}</Suspense>
        </aside>
      </SomaContext>
      <div className="demo-app">{children}</div>
    </>
  )
}
