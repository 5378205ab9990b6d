import { type RefObject, useEffect, useRef } from 'react'

/**
 * Brings the next task into view, and gives its heading the focus, after the person has done a step: what they pressed
 * is gone. Not where another party did it, or where the person has gone on to something else. The handlers belong on
 * the task; React hands them what is pressed in its dialogs and its main action, too.
 */
export function useNextInView(step: string): Handlers {
  const heading = useRef<HTMLHeadingElement>(null)
  const hasActed = useRef(false)
  const before = useRef(step)
  useEffect(() => {
    if (before.current === step) return
    before.current = step
    const wasHere = hasActed.current
    hasActed.current = false
    const focused = document.activeElement
    const isFree = !focused?.matches('input, textarea, select')
    if (!wasHere || !isFree || !heading.current) return
    heading.current.focus({ preventScroll: true })
    heading.current.scrollIntoView({ block: 'nearest' })
  }, [step])
  const act = () => {
    hasActed.current = true
  }
  return { heading, onClickCapture: act, onInputCapture: act }
}

type Handlers = {
  heading: RefObject<HTMLHeadingElement | null>
  onClickCapture: () => void
  onInputCapture: () => void
}
