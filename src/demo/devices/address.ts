import { baseUrl } from '#app/browser/base-url.ts'
import type { PersonaKey } from '../simulation/personas.ts'
import { personaOptions } from './persona-options.ts'

/**
 * Reads the demo's own parameters from the address and removes them: `to`, the screen that a static
 * host did not find (404.html), and `play`, the persona of this tab. Returns that persona.
 */
export function readEntryUrl(): PersonaKey | undefined {
  const search = new URLSearchParams(location.search)
  const to = search.get('to')
  const play = search.get('play')
  const isFile = location.pathname.endsWith('/index.html')
  if (to !== null || play !== null || isFile)
    history.replaceState(null, '', new URL(to?.replace(/^\/+/, '') ?? '', baseUrl))
  return personaOptions.find(({ key }) => key === play)?.key
}

/** Makes the page's icon links absolute: a browser resolves them again after each navigation. */
export function makeLinksAbsolute(): void {
  for (const link of document.querySelectorAll('link'))
    if (link.getAttribute('href')?.startsWith('./')) link.href = new URL(link.href).href
}

/** Changes the address without telling a mounted router. */
export function setPath(path: string): void {
  const url = new URL(path.replace(/^\//, ''), baseUrl)
  if (url.href !== location.href) history.pushState(null, '', url)
}

/** Navigates the mounted router, as a link does. */
export function navigate(path: string): void {
  setPath(path)
  dispatchEvent(new PopStateEvent('popstate', { state: null }))
}

/** The address that opens the demo in another tab as this persona. */
export const newTabUrl = (key: PersonaKey): string => `${baseUrl.href}?play=${key}`
