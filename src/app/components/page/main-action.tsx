import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useMainActionPlace } from './main-action-place.ts'

/** The one thing to do next: it stays at the bottom of the screen, within reach of a thumb. */
export function MainAction({ children }: { children: ReactNode }) {
  const place = useMainActionPlace()
  return place ? createPortal(children, place) : null
}
