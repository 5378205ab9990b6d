import { home } from '#app/browser/base-url.ts'
import type { PlayerKey } from '../ui/demo-context.ts'
import { personaOptions } from './persona-options.ts'

/**
 * Reads what the address says beside the screen, and takes it away: `to`, the screen a static host
 * could not find (404.html), and `play`, whom this tab is to be.
 */
export function readEntryUrl(): PlayerKey | undefined {
  const search = new URLSearchParams(location.search)
  const to = search.get('to')
  const play = search.get('play')
  const isFile = location.pathname.endsWith('/index.html')
  if (to !== null || play !== null || isFile)
    history.replaceState(null, '', new URL(to?.replace(/^\/+/, '') ?? '', home))
  return personaOptions.find(({ key }) => key === play)?.key
}

/**
 * The page names its icons from where it lies; a browser asks for them again from wherever the
 * address has gone since.
 */
export function makeLinksAbsolute(): void {
  for (const link of document.querySelectorAll('link'))
    if (link.getAttribute('href')?.startsWith('./')) link.href = new URL(link.href).href
}

/** Changes the address, for a router that is about to be mounted. */
export function setPath(path: string): void {
  const url = new URL(path.replace(/^\//, ''), home)
  if (url.href !== location.href) history.pushState(null, '', url)
}

/** Goes there as a link would. */
export function navigate(path: string): void {
  setPath(path)
  dispatchEvent(new PopStateEvent('popstate', { state: null }))
}

export const newTabUrl = (key: PlayerKey): string => `${home.href}?play=${key}`
