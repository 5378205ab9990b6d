/** Light or dark, as somebody chose it on this device; `auto`: as the device itself is. */
export type Theme = 'light' | 'dark' | 'auto'

/** Its name in local storage; the demo has the same one. It is kept when the cache version changes (R84). */
const themeItem = 'soma-theme'

const barColours = { light: '#063F2A', dark: '#0A2A1D' }

let chosen: Theme | undefined

export function chosenTheme(): Theme {
  chosen ??= storedTheme()
  return chosen
}

export function chooseTheme(theme: Theme): void {
  chosen = theme
  try {
    if (theme === 'auto') localStorage.removeItem(themeItem)
    else localStorage.setItem(themeItem, theme)
  } catch {
    // The browser forbids storage: the choice holds until the page is closed.
  }
  showTheme()
}

/** Gives the page and the browser's own bar the colours that were chosen. Before the first paint `src/head.ts` does. */
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

function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(themeItem)
    return stored === 'light' || stored === 'dark' ? stored : 'auto'
  } catch {
    return 'auto'
  }
}
