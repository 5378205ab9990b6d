import type { Browser } from '@playwright/test'
import { type BareServer, startBareServer } from './bare-server.ts'
import { painted, watchPaints } from './paints.ts'

/** A page without a script that has the text, the headings and the links of the guest's Home of this build. */
export async function startBareHome(browser: Browser, origin: string): Promise<BareServer> {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  await watchPaints(page, 'home', 'live')
  await page.goto(origin)
  await painted(page, 'home')
  await painted(page, 'live')
  const text = await page.evaluate(textOf)
  await context.close()
  return startBareServer({ '/': { type: 'text/html', body: pageOf(text) } }, origin)
}

/** In the page: the markup of its text, without classes and pictures. */
function textOf(): string {
  const kept = new Set(['H1', 'H2', 'P', 'A', 'BUTTON', 'STRONG', 'NAV', 'HEADER'])
  const markup = (node: Node): string => {
    if (node instanceof Text) return node.data.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    if (!(node instanceof HTMLElement) || node.getClientRects().length === 0) return ''
    const inside = [...node.childNodes].map(markup).join('')
    if (!kept.has(node.tagName)) return inside === '' ? '' : `<div>${inside}</div>`
    const name = node.tagName.toLowerCase()
    const href = node.getAttribute('href')
    return `<${name}${href === null ? '' : ` href="${href}"`}>${inside}</${name}>`
  }
  return [...(document.getElementById('root')?.childNodes ?? [])].map(markup).join('')
}

const pageOf = (text: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Soma</title>
<style>
body { margin: 0; padding: 16px; background: #fbf7ee; color: #14201a; font: 1rem/1.45 system-ui, sans-serif }
a, button { display: block; padding: 12px 0; font: inherit; color: inherit }
</style>
</head>
<body>${text}</body>
</html>
`
