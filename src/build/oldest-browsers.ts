/**
 * The oldest versions that the app works in (README.md). Samsung Internet 18 is Chromium 99, and every browser of an
 * iPhone is as old as its Safari.
 */
export const oldestBrowsers = { chrome: '97', safari: '16.4', ios: '16.4', firefox: '115' } as const

/** As Vite reads them: `chrome97`. */
export const buildTarget = Object.entries(oldestBrowsers).map(([name, version]) => name + version)
