import { join } from 'node:path'
import { build, type IndexHtmlTransformContext, type Plugin } from 'vite'

type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>

const place = '<!-- boot.ts -->'
const end = '<noscript>'
const stylesheet = /\s*<link rel="stylesheet"[^>]*href="([^"]*)"[^>]*>/g

/**
 * Writes `boot.ts`, bundled, into index.html in the place of its comment, with the addresses of the stylesheets, which
 * it loads: as part of the page they would keep the first paint waiting. The server allows inline scripts by the
 * hashes of those in the page (`node/listen/static-files.ts`).
 */
export function bootScript(): Plugin {
  let mode = 'production'
  let source = ''
  return {
    name: 'soma:boot-script',
    configResolved(config) {
      mode = config.mode
      source = join(config.root, 'boot.ts')
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle }) {
        // The demo's worker makes addresses in tags absolute, and none in scripts: there they stay tags.
        const isApp = mode === 'production'
        const sheets = [...html.matchAll(stylesheet)]
        const define = {
          __PARTS__: JSON.stringify(partsOf(bundle)),
          __STYLES__: JSON.stringify(isApp ? sheets.map(([, href]) => href) : []),
        }
        const script = `<script>${(await bundled(source, mode, define)).trim()}</script>`
        const tags = isApp ? '' : sheets.map(([tag]) => tag.trim()).join('')
        return html
          .replace(stylesheet, '')
          .replace(place, () => script)
          .replace(end, () => tags + end)
      },
    },
  }
}

/**
 * The files of each screen beside the first page's, by the name of the screen's folder: they are loaded side by
 * side with it, not after it.
 */
function partsOf(bundle: Bundle | undefined): Record<string, string[]> {
  const chunks = Object.values(bundle ?? {}).filter((output) => output.type === 'chunk')
  const importsOf = (name: string): string[] => {
    const { imports = [] } = chunks.find(({ fileName }) => fileName === name) ?? {}
    return [name, ...imports.flatMap(importsOf)]
  }
  const first = new Set(
    chunks.filter(({ isEntry }) => isEntry).flatMap((c) => importsOf(c.fileName)),
  )
  const parts: Record<string, string[]> = {}
  for (const { facadeModuleId, fileName } of chunks) {
    const [, screen] = facadeModuleId?.match(/[\\/]screens[\\/]([^\\/]+)[\\/]page\.tsx$/) ?? []
    if (screen === undefined) continue
    const missing = importsOf(fileName).filter((name) => !first.has(name))
    if (missing.length > 0) parts[screen] = [...new Set(missing)]
  }
  return parts
}

async function bundled(
  source: string,
  mode: string,
  define: Record<string, string>,
): Promise<string> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    mode,
    define,
    build: {
      write: false,
      rolldownOptions: { input: source, output: { format: 'iife', codeSplitting: false } },
    },
  })
  const [output] = [built].flat()
  if (!output || !('output' in output)) throw new Error('boot.ts was not built')
  return output.output[0].code
}
