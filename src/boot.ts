import { type FrameName, frameHtml, frameNameOf } from './app/components/page/frames.ts'
import { buildNumber, clientVersionHeader } from './contract/version.ts'

/*
 * Runs before any other script has come; the build writes it into index.html (server/launch/boot-script.ts). On a
 * guest's Home it leaves what stands there (src/first-page.tsx); elsewhere it hides that and draws the frame of the
 * screen that is opened. The demo gets a deep link as its parameter `to`.
 */

/** Screens whose frame has another name than their folder. */
const folders: Partial<Record<FrameName, string>> = { delivery: 'room', step: 'auth' }

/** The files of each screen; the build names them. */
declare const __PARTS__: Record<string, string[]>

/** The addresses of the stylesheets; the build names them. None in the demo, whose page has them as tags. */
declare const __STYLES__: string[]

/** The calls of a first visit, whoever it is. */
const sharedPaths = ['/api/config', '/api/zones', '/api/items']

const page = document.documentElement
const path = new URLSearchParams(location.search).get('to') ?? location.pathname + location.search
const screen = frameNameOf(path)

if (import.meta.env.MODE === 'production' && screen === 'home' && isGuest()) {
  // Pressed before the app can answer: it answers when it is there (app/browser/first-page.ts).
  addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('#first button')) page.dataset.pressed = ''
  })
} else {
  page.classList.add('app')
  const root = document.getElementById('root')
  if (root)
    root.innerHTML =
      (import.meta.env.MODE === 'demo' ? '<div class="boot-demo"></div>' : '') + frameHtml(path)
}

globalThis.styles = Promise.all(__STYLES__.map(loadStyles))

if (import.meta.env.MODE === 'production') {
  // Which screen it is the app would know only later.
  for (const file of __PARTS__[folders[screen] ?? screen] ?? []) append('modulepreload', `/${file}`)
  if (!navigator.serviceWorker?.controller) askForSharedLists()
}

/** Resolves when it was loaded or could not be: a screen without its styles is better than none. */
function loadStyles(href: string) {
  return new Promise<unknown>((resolve) => {
    const link = append('stylesheet', href)
    link.onload = resolve
    link.onerror = resolve
  })
}

/** Loads a file beside the app's first ones. */
function append(rel: 'stylesheet' | 'modulepreload', href: string): HTMLLinkElement {
  const link = document.createElement('link')
  link.rel = rel
  link.crossOrigin = ''
  link.href = href
  document.head.append(link)
  return link
}

/** On a first visit nothing is stored: what every screen needs is asked for before the app can ask. */
function askForSharedLists() {
  globalThis.firstAnswers = Object.fromEntries(
    sharedPaths.map((to) => {
      const headers = { accept: 'application/json', [clientVersionHeader]: `${buildNumber}` }
      return [to, fetch(to, { headers, cache: 'no-store' }).catch(() => undefined)]
    }),
  )
}

/** Nobody is logged in on this phone, and no delivery of a guest is under way. */
function isGuest(): boolean {
  try {
    return !['token', 'live'].some((name) => localStorage.getItem(name))
  } catch {
    // The browser forbids storage: then there is nothing to remember either.
    return true
  }
}
