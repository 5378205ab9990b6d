import { jsonItem } from './json-storage.ts'

/*
 * What the build has drawn into index.html (src/first-page.tsx): a guest's Home, or a skeleton for everybody else. It
 * stands, and the links of Home work, until the app draws a screen in its place.
 */

const markup = () => document.querySelectorAll('#first, #skeleton')

/** Whether one of them is there. */
export const isFirstPageThere = (): boolean => markup().length > 0

/** Whether it is a guest's Home: `head.ts` decides it. */
export const isFirstPageHome = (): boolean =>
  document.getElementById('first') !== null && !document.documentElement.classList.contains('app')

export function endFirstPage(): void {
  for (const element of markup()) element.remove()
}

/** Whether a button of Home was pressed before the app could answer: all of them open the guide. */
export function guideWanted(): boolean {
  const { dataset } = document.documentElement
  const isWanted = dataset.pressed !== undefined
  delete dataset.pressed
  return isWanted
}

/** Tells `head.ts` at the next opening whether Home has deliveries under way: then it is not what a guest finds. */
export const hasLiveFlag = jsonItem(() => localStorage, 'live')
