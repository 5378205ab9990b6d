import { createContext, type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'

/** The element at the bottom of the delivery's screen that takes the main action. */
export const MainActionSlot = createContext<HTMLElement | null>(null)

/** The one thing to do next: it stays at the bottom of the screen, within reach of a thumb. */
export function MainAction({ children }: { children: ReactNode }) {
  const slot = useContext(MainActionSlot)
  return slot ? createPortal(children, slot) : null
}
