import { baseUrl } from '#app/browser/base-url.ts'
import type { PlayerKey } from '../ui/demo-context.ts'
import { players } from './players.ts'

/**
 * Reads what the address says beside the screen, and takes it away: `to`, the screen a static host
 * could not find (404.html), and `play`, whom this tab is to be.
 */
export function arrive(): PlayerKey | undefined {
  const search = new URLSearchParams(location.search)
  const to = search.get('to')
  const play = search.get('play')
  const isFile = location.pathname.endsWith('/index.html')
  if (to !== null || play !== null || isFile)
    history.replaceState(null, '', new URL(to?.replace(/^\/+/, '') ?? '', baseUrl))
  return players.find(({ key }) => key === play)?.key
}

/**
 * The page names its icons from where it lies; a browser asks for them again from wherever the
 * address has gone since.
 */
export function pinLinks(): void {
  for (const link of document.querySelectorAll('link'))
    if (link.getAttribute('href')?.startsWith('./')) link.href = new URL(link.href).href
}

/** Changes the address, for a router that is about to be mounted. */
export function put(path: string): void {
  const url = new URL(path.replace(/^\//, ''), baseUrl)
  if (url.href !== location.href) history.pushState(null, '', url)
}

/** Goes there as a link would. */
export function go(path: string): void {
  put(path)
  dispatchEvent(new PopStateEvent('popstate', { state: null }))
}

export const tabFor = (key: PlayerKey): string => `${baseUrl.href}?play=${key}`
