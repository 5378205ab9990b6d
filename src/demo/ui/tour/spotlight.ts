import { useEffect } from 'react'
import type { Step } from './steps.ts'

/** Milliseconds between two searches: the app renders without telling the tour. */
const interval = 250

/** Highlights and scrolls to the first element of `target` that is visible, as long as it is. */
export function useSpotlight(target: Step['target']): void {
  useEffect(() => {
    if (!target) return
    let highlighted: HTMLElement | undefined
    const update = () => {
      const next = find(target)
      if (next === highlighted) return
      highlighted?.removeAttribute('data-lit')
      highlighted = next
      highlighted?.setAttribute('data-lit', '')
      if (highlighted && !inView(highlighted))
        highlighted.scrollIntoView({ block: 'center', behavior: 'smooth' })
    }
    update()
    const timer = setInterval(update, interval)
    return () => {
      clearInterval(timer)
      highlighted?.removeAttribute('data-lit')
    }
  }, [target])
}

function find(target: NonNullable<Step['target']>): HTMLElement | undefined {
  for (const { selector, text } of target)
    for (const element of document.querySelectorAll<HTMLElement>(selector))
      if (element.checkVisibility() && (!text || element.textContent?.includes(text)))
        return element
  return undefined
}

function inView(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  const bar = document.querySelector('.demo-frame')?.clientHeight ?? 0
  return top >= bar && bottom <= innerHeight
}
