import type { Browser } from '@playwright/test'

/* Drawn photos of items: they compress well and need no licence. */

const table =
  '<rect width="320" height="320" fill="#cfd8d2"/><rect y="210" width="320" height="110" fill="#a9744a"/>'
const drawings = {
  laptop: `<rect x="70" y="90" width="180" height="120" rx="8" fill="#2b3138"/><rect x="80" y="100" width="160" height="98" fill="#6fa8c9"/><path d="M50 212h220l18 26H32z" fill="#8d959c"/>`,
  papers: `<rect x="95" y="70" width="120" height="160" fill="#f7f4ea"/><rect x="110" y="85" width="120" height="160" fill="#fffdf6"/><path d="M126 112h88M126 134h88M126 156h88M126 178h60" stroke="#9aa39d" stroke-width="6"/>`,
  cloth: `<g transform="translate(70 100)"><rect width="180" height="130" rx="6" fill="#d99a1b"/><path d="M0 22h180M0 66h180M0 110h180" stroke="#0b6b45" stroke-width="14"/><path d="M30 0v130M90 0v130M150 0v130" stroke="#b9431f" stroke-width="10"/><path d="M0 44h180M0 88h180" stroke="#14201a" stroke-width="6"/></g>`,
  groceries: `<path d="M95 130h130l-12 120H107z" fill="#c79a5b"/><circle cx="125" cy="118" r="26" fill="#c5402a"/><circle cx="172" cy="112" r="30" fill="#e0a82e"/><path d="M205 130c0-40 10-60 26-66-2 26-8 50-14 66z" fill="#3f8f4f"/>`,
  medicine: `<rect x="105" y="100" width="110" height="140" rx="14" fill="#fdfdfb"/><rect x="118" y="72" width="84" height="34" rx="6" fill="#2c7d5b"/><path d="M160 138v56M132 166h56" stroke="#b03c18" stroke-width="16"/>`,
} as const
export type Item = keyof typeof drawings

export async function itemPhoto(browser: Browser, item: Item) {
  const page = await browser.newPage({
    viewport: { width: 320, height: 320 },
    isMobile: false,
  })
  await page.setContent(
    `<body style="margin:0"><svg width="320" height="320" viewBox="0 0 320 320">${table}${drawings[item]}</svg>`,
  )
  const buffer = await page.screenshot({ type: 'jpeg', quality: 80 })
  await page.close()
  return { buffer, mimeType: 'image/jpeg' }
}
