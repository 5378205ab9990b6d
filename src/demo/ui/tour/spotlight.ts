import { useEffect } from 'react'
import type { Step } from './steps.ts'

/** Milliseconds between two looks at the page, which is React's and changes as it likes. */
const often = 250

/** Lights up what a step speaks of, wherever and whenever it stands on the screen. */
export function useSpotlight(target: Step['target'] | undefined): void {
  useEffect(() => {
    if (!target) return
    let lit: HTMLElement | undefined
    const look = () => {
      const next = find(target)
      if (next === lit) return
      lit?.removeAttribute('data-lit')
      lit = next
      lit?.setAttribute('data-lit', '')
      if (lit && !inView(lit)) lit.scrollIntoView({ block: 'center', behavior: 'smooth' })
    }
    look()
    const timer = setInterval(look, often)
    return () => {
      clearInterval(timer)
      lit?.removeAttribute('data-lit')
    }
  }, [target])
}

function find(target: Step['target']): HTMLElement | undefined {
  for (const { at, text } of target)
    for (const each of document.querySelectorAll<HTMLElement>(at))
      if (each.checkVisibility() && (!text || each.textContent?.includes(text))) return each
  return undefined
}

function inView(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  const bar = document.querySelector('.demo-frame')?.clientHeight ?? 0
  return top >= bar && bottom <= innerHeight
}
