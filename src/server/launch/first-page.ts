import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { compile, optimize } from '@tailwindcss/node'
import { type Alias, build, type Plugin } from 'vite'
import { bundled } from './boot-script.ts'

const place = '<!-- first-page.tsx -->'

/**
 * Writes a guest's Home (src/first-page.tsx) into index.html, and into its head the part of the stylesheet that
 * this markup needs: it is drawn with the page itself, without another request. `alias`: those of the app's build.
 */
export function firstPage(alias: Alias[]): Plugin {
  let root = ''
  let mode = ''
  let isBuilt = false
  return {
    name: 'soma:first-page',
    configResolved(config) {
      root = config.root
      mode = config.mode
      isBuilt = config.command === 'build' && config.mode === 'production'
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html) {
        // The demo and development begin with the frames of boot.ts.
        if (!isBuilt) return html.replace(place, '')
        const markup = await rendered(join(root, 'first-page.tsx'), alias)
        const style = await stylesOf(markup, join(root, 'app'))
        const script = await bundled(join(root, 'head.ts'), mode)
        return html
          .replace(
            '</head>',
            () => `<style>${style}</style>\n    <script>${script}</script>\n  </head>`,
          )
          .replace(place, () => `<div id="first">${markup}</div>`)
      },
    },
  }
}

/** The default export of a module that is bundled and run on a thread of its own. */
async function rendered(input: string, alias: Alias[]): Promise<string> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { alias },
    ssr: { noExternal: true },
    build: {
      write: false,
      ssr: input,
      rolldownOptions: { output: { format: 'es', codeSplitting: false } },
    },
  })
  const [output] = [built].flat()
  if (!output || !('output' in output)) throw new Error('first-page.tsx was not built')
  const [{ code }] = output.output
  return run(code)
}

/** What modules of the app ask of a browser when they are loaded. */
const browser = `
  globalThis.location = new URL('http://localhost/')
  globalThis.localStorage = { getItem: () => null }
`

function run(code: string): Promise<string> {
  const url = `data:text/javascript,${encodeURIComponent(code)}`
  const worker = new Worker(
    `${browser}
     import(${JSON.stringify(url)}).then(({ default: markup }) =>
       require('node:worker_threads').parentPort.postMessage(markup))`,
    { eval: true },
  )
  return new Promise<string>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('first-page.tsx rendered nothing')))
  })
}

/** The part of the app's stylesheet that this markup uses, minified. */
async function stylesOf(markup: string, folder: string): Promise<string> {
  const source = await readFile(join(folder, 'styles.css'), 'utf8')
  const compiler = await compile(source, { base: folder, onDependency: () => undefined })
  const classes = [...markup.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) =>
    names.replaceAll('&amp;', '&').replaceAll('&gt;', '>').split(/\s+/),
  )
  return optimize(compiler.build([...new Set(classes)]), { minify: true }).code
}
