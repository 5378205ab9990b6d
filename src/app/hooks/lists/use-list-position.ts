import { useLayoutEffect, useRef, useState } from 'react'
import { useNavigationType } from 'react-router-dom'

/** Where a person left a list: how many rows it had, the one in the middle of the screen, and its top in CSS pixels. */
type Position = { count: number; index: number; top: number }

const left = new Map<string, Position>()

/**
 * Scrolls a list that is opened again to the row at which it was left: the browser restores its scroll position too
 * early, before the rows are read. Returns how many rows the list had then; 0 for one that is opened anew.
 */
export function useListPosition(list: string): number {
  const way = useNavigationType()
  const [position] = useState(() => (way === 'POP' ? left.get(list) : undefined))
  const isRestored = useRef(position === undefined)
  // After each draw, until the row is there.
  useLayoutEffect(() => {
    const row = isRestored.current || !position ? undefined : articles()[position.index]
    if (!row || !position) return
    isRestored.current = true
    scrollBy(0, row.getBoundingClientRect().top - position.top)
  })
  // Before the list leaves the page.
  useLayoutEffect(
    () => () => {
      const found = middleRow()
      if (found) left.set(list, found)
      else left.delete(list)
    },
    [list],
  )
  return position?.count ?? 0
}

const articles = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('#main article')]

/** The row in the middle of the screen, or the one above it where there is a gap. */
function middleRow(): Position | undefined {
  for (const y of [innerHeight / 2, innerHeight / 2 - 20]) {
    const row = document.elementFromPoint(innerWidth / 3, y)?.closest('article')
    if (!row) continue
    const all = articles()
    return { count: all.length, index: all.indexOf(row), top: row.getBoundingClientRect().top }
  }
  return undefined
}
