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

export const removeFirstPage = (): void => firstPage()?.remove()

/** Whether a button of it was pressed before the app could answer: all of them open the guide. */
export function guideWanted(): boolean {
  const { dataset } = document.documentElement
  const isWanted = dataset.pressed !== undefined
  delete dataset.pressed
  return isWanted
}

/** Milliseconds of its animation that were shown; nothing where it is not there. */
export function travelledByParcel(): number | undefined {
  const animation = firstPage()?.querySelector('.parcel')?.getAnimations?.()[0]
  const at = animation?.currentTime
  return typeof at === 'number' ? Math.round(at) : undefined
}

/** Tells `boot.ts` at the next opening whether Home has deliveries under way: then it is not what a guest finds. */
export const hasLiveFlag = jsonItem(() => localStorage, 'live')
