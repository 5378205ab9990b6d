/*
 * Runs in the head of the page, before anything is drawn. The build writes it into index.html
 * (build/first-page.ts).
 */

/** Milliseconds from one attempt to load the page again to the next, and at least from one such load to the next. */
const interval = 5_000
const leastBetween = 60_000

const { classList, dataset } = document.documentElement

// A guest's Home is part of the page (first-page.tsx). Everybody else, and every other screen, gets the skeleton.
if (location.pathname !== '/' || isKnown()) classList.add('app')

// Light or dark, where somebody has chosen it, in another tab too (app/browser/theme.ts): of the page, and of the
// browser's own bar.
const themeItem = 'soma-theme'
const bars = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')]
const colours = bars.map(({ content }) => content)
showTheme(stored(themeItem))
addEventListener('storage', ({ key, newValue }: StorageEvent) => {
  if (key === themeItem) showTheme(newValue)
})

// A button that is pressed before the app can answer: it answers when it is there (app/browser/first-page.ts).
addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('#first button')) dataset.pressed = ''
})

// A newer worker may take over before the app listens (app/browser/update/update.ts).
globalThis.firstController = navigator.serviceWorker?.controller

/*
 * A module that cannot be loaded: a newer release has replaced it, or the network lost it. Without those that the page
 * names there is no app, so the page is tried again and again. One that the app asks for later is also tried by itself
 * (lazy-part.tsx): its failure shows at a link, never at a script.
 */
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLScriptElement) setInterval(loadAgain, interval)
  },
  true,
)
addEventListener('vite:preloadError', loadAgain)

function showTheme(theme: string | null) {
  for (const name of ['light', 'dark']) classList.toggle(name, theme === name)
  const chosen = bars.findIndex(({ media }) => theme !== null && media.includes(theme))
  for (const [at, bar] of bars.entries()) bar.content = colours[chosen < 0 ? at : chosen] ?? ''
}

/** Somebody is logged in on this phone, or a delivery of a guest is under way. */
function isKnown(): boolean {
  return ['token', 'live'].some(stored)
}

function stored(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    // The browser forbids storage: then there is nothing to remember either.
    return null
  }
}

/** Whether a field holds text that a reload would lose. */
const hasText = () =>
  [
    ...document.querySelectorAll<HTMLInputElement>(
      'textarea, input:not([type=radio], [type=checkbox])',
    ),
  ].some(({ value }) => value !== '')

/** Loads the page again where it is served now: without a network that would leave no page at all. */
async function loadAgain() {
  const last = Number(sessionStorage.getItem('loadedAgain'))
  if (Date.now() - last < leastBetween) return
  const isServed = await fetch(location.href, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!isServed || hasText()) return
  sessionStorage.setItem('loadedAgain', `${Date.now()}`)
  location.reload()
}
