/** Light or dark, as somebody chose it on this device; `auto`: as the device itself is. */
export type Theme = 'light' | 'dark' | 'auto'

/** Its name in local storage; the demo has the same one. It is kept when the cache version changes (R84). */
const themeItem = 'soma-theme'

const barColours = { light: '#063F2A', dark: '#0A2A1D' }

/** Where the browser forbids storage, the choice holds until the page is closed. */
let unstored: Theme = 'auto'

export function chosenTheme(): Theme {
  try {
    const stored = localStorage.getItem(themeItem)
    return stored === 'light' || stored === 'dark' ? stored : 'auto'
  } catch {
    return unstored
  }
}

export function chooseTheme(theme: Theme): void {
  unstored = theme
  try {
    if (theme === 'auto') localStorage.removeItem(themeItem)
    else localStorage.setItem(themeItem, theme)
  } catch {
    // See above.
  }
  showTheme()
}

/** Calls `tell` when it was chosen in another tab. Returns how to stop. */
export function onThemeChosen(tell: () => void): () => void {
  const hear = ({ key }: StorageEvent) => {
    if (key === themeItem) tell()
  }
  addEventListener('storage', hear)
  return () => removeEventListener('storage', hear)
}

/** Gives the page and the browser's own bar the colours that were chosen. Before the first paint, and in other tabs, `src/head.ts` does. */
function showTheme(): void {
  const theme = chosenTheme()
  const { classList } = document.documentElement
  classList.toggle('light', theme === 'light')
  classList.toggle('dark', theme === 'dark')
  const bars = document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')
  for (const bar of bars) {
    const own = bar.media.includes('dark') ? 'dark' : 'light'
    bar.content = barColours[theme === 'auto' ? own : theme]
  }
}
