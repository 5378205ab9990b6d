import { existsSync } from 'node:fs'
import { run } from '../../src/server/launch/children.mjs'

const paths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** What Playwright switches off by itself: this switch replaces its own. */
const offByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/** Pages of the browser's own that each new window loads unseen: two thirds of what a window costs. */
const ownPages = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'SpareRendererForSitePerProcess',
]

/** The switches of every test in Chromium. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...offByPlaywright, ...ownPages].join(',')}`,
]

/** The path of an installed Chromium: CHROMIUM, the system's, or Playwright's own. @returns {Promise<string | undefined>} */
export async function findChromium() {
  const { chromium } = await import('@playwright/test')
  const all = [process.env.CHROMIUM, ...paths, chromium.executablePath()]
  return all.find((path) => path !== undefined && path !== '' && existsSync(path))
}

/** Finds a Chromium or installs one, and returns its path. Throws when neither works. */
export async function needChromium() {
  const found = await findChromium()
  if (found) return found
  console.log('Installing Chromium …')
  const outputs = []
  for (const command of await installCommands()) {
    const { output } = await run('sh', ['-c', command])
    const installed = await findChromium()
    if (installed) return installed
    outputs.push(`$ ${command}\n${output.trim()}`)
  }
  console.error(outputs.join('\n'))
  throw new Error(
    'Chromium is missing and could not be installed (output above). Set CHROMIUM to its path.',
  )
}

async function installCommands() {
  const own = 'npx playwright install chromium'
  const apt =
    'DEBIAN_FRONTEND=noninteractive; export DEBIAN_FRONTEND; apt-get update && apt-get install -y --no-install-recommends chromium'
  const hasApt = (await run('sh', ['-c', 'command -v apt-get'])).code === 0
  return process.getuid?.() === 0 && hasApt ? [apt, own] : [own]
}
