import { jsonItem } from './json-storage.ts'

/*
 * A guest's Home as the build has drawn it into index.html (src/first-page.tsx). It stands, and its links work,
 * until the app draws a screen in its place.
 */

declare global {
  /** Resolves when the stylesheets that the page loads (src/boot.ts) have come; missing in development. */
  var styles: Promise<unknown> | undefined
}

const firstPage = () => document.getElementById('first')

/** Whether it is there and shown: elsewhere than on a guest's Home `boot.ts` hides it. */
export const isFirstPageShown = (): boolean =>
  firstPage() !== null && !document.documentElement.classList.contains('app')

/** Removes what the page has drawn by itself, and lets the app's styles hold. */
export function endFirstPage(): void {
  firstPage()?.remove()
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[media="not all"]'))
    link.media = 'all'
}

/** Whether a button of it was pressed before the app could answer: all of them open the guide. */
export function guideWanted(): boolean {
  const { dataset } = document.documentElement
  const isWanted = dataset.pressed !== undefined
  delete dataset.pressed
  return isWanted
}

/** Tells `boot.ts` at the next opening whether Home has deliveries under way: then it is not what a guest finds. */
export const hasLiveFlag = jsonItem(() => localStorage, 'live')
