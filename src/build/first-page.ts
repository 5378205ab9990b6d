import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compile } from '@tailwindcss/node'
import { transform } from 'lightningcss'
import { minify, type Plugin, runnerImport, transformWithOxc } from 'vite'
import { buildTarget, oldestBrowsers } from './oldest-browsers.ts'

type Markup = { home: string; skeleton: string }

const headPlace = '<!-- head.ts -->'
const bodyPlace = '<!-- first-page.tsx -->'
const stylesheet = /\s*<link rel="stylesheet"[^>]*>/g
/** `head.ts` says whose page it is; without any script it is a guest's. */
const hiding = '.app #first,:root:not(.app) #skeleton{display:none}'

/**
 * Writes a guest's Home and the skeleton of every other screen (src/first-page.tsx) into index.html, with the part of
 * the stylesheet that they need: they are drawn with the page itself, without another request. The stylesheet comes
 * behind them, because a browser draws nothing of what follows one. The demo begins with the skeleton everywhere.
 */
export function firstPage(): Plugin {
  let root = ''
  let isApp = false
  return {
    name: 'soma:first-page',
    apply: 'build',
    configResolved(config) {
      root = config.root
      isApp = config.mode === 'production'
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html) {
        const { home, skeleton } = await rendered(join(root, 'first-page.tsx'))
        const shown = `<div id="skeleton">${skeleton}</div>`
        const markup = isApp ? `<div id="first">${home}</div>${shown}` : shown
        const style = (await stylesOf(markup, join(root, 'app'))) + (isApp ? hiding : '')
        const script = await minified(join(root, 'head.ts'))
        const sheets = html.match(stylesheet) ?? []
        return html
          .replace(stylesheet, '')
          .replace(headPlace, () => `<style>${style}</style><script>${script}</script>`)
          .replace(bodyPlace, () => markup + sheets.join(''))
      },
    },
  }
}

/** The module's default export, with what modules of the app ask of a browser when they are loaded. */
async function rendered(input: string): Promise<Markup> {
  const browser = {
    location: new URL('http://localhost/'),
    localStorage: { getItem: () => null },
  }
  Object.assign(globalThis, browser)
  try {
    const options = { configFile: false, mode: 'production', logLevel: 'warn' } as const
    const { module } = await runnerImport<{ default: Markup }>(input, options)
    return module.default
  } finally {
    for (const name of Object.keys(browser)) Reflect.deleteProperty(globalThis, name)
  }
}

/** A script that imports nothing, as one that leaves no name behind. */
async function minified(file: string): Promise<string> {
  const { code } = await transformWithOxc(await readFile(file, 'utf8'), file, {
    target: buildTarget,
  })
  return (await minify(file, `(() => {${code}})()`)).code
}

/** The part of the app's stylesheet that this markup uses, minified. */
async function stylesOf(markup: string, folder: string): Promise<string> {
  const source = await readFile(join(folder, 'styles.css'), 'utf8')
  const compiler = await compile(source, { base: folder, onDependency: () => undefined })
  const classes = [...markup.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) =>
    names.replaceAll('&amp;', '&').replaceAll('&gt;', '>').split(/\s+/),
  )
  const code = Buffer.from(compiler.build([...new Set(classes)]))
  return transform({ filename: 'first-page.css', code, minify: true, targets }).code.toString()
}

/** As Lightning CSS reads them: a byte for each part of a version. */
const targets = Object.fromEntries(
  Object.entries(oldestBrowsers).map(([name, version]) => {
    const [major = 0, minor = 0] = version.split('.').map(Number)
    return [name === 'ios' ? 'ios_saf' : name, (major << 16) | (minor << 8)]
  }),
)
