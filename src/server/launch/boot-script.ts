import { join } from 'node:path'
import { build, type IndexHtmlTransformContext, type Plugin } from 'vite'

type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>

const place = '<!-- boot.ts -->'
const end = '<noscript>'
const stylesheet = /\s*<link rel="stylesheet"[^>]*href="([^"]*)"[^>]*>/g
const module = /\s*<script type="module"[^>]*><\/script>|\s*<link rel="modulepreload"[^>]*>/g

/**
 * Writes `boot.ts`, bundled, into index.html in the place of its comment, with the addresses of the stylesheets and of
 * the app's files, which it loads: as part of the page they would keep the first paint waiting. So would the script
 * itself: in the app's page it is text that `start-boot.ts` runs in time. The server allows inline scripts by the hashes
 * of those in the page (`node/listen/static-files.ts`).
 */
export function bootScript(): Plugin {
  let mode = 'production'
  let source = ''
  let starter = ''
  return {
    name: 'soma:boot-script',
    configResolved(config) {
      mode = config.mode
      source = join(config.root, 'boot.ts')
      starter = join(config.root, 'start-boot.ts')
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
          __APP__: JSON.stringify(isApp ? firstFiles(bundle) : []),
        }
        const boot = await bundled(source, mode, define)
        const script = isApp
          ? `<script type="text/plain" id="boot">${boot}</script><script>${await bundled(starter, mode)}</script>`
          : `<script>${boot}</script>`
        const tags = isApp ? '' : sheets.map(([tag]) => tag.trim()).join('')
        return html
          .replace(isApp ? module : '', '')
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
  const first = new Set(firstFiles(bundle))
  const parts: Record<string, string[]> = {}
  for (const { facadeModuleId, fileName } of chunksOf(bundle)) {
    const [, screen] = facadeModuleId?.match(/[\\/]screens[\\/]([^\\/]+)[\\/]page\.tsx$/) ?? []
    if (screen === undefined) continue
    const missing = withImports(bundle, fileName).filter((name) => !first.has(name))
    if (missing.length > 0) parts[screen] = missing
  }
  return parts
}

/** The entry and what it imports, each after its own imports. */
const firstFiles = (bundle: Bundle | undefined): string[] =>
  chunksOf(bundle)
    .filter(({ isEntry }) => isEntry)
    .flatMap(({ fileName }) => withImports(bundle, fileName))

function withImports(bundle: Bundle | undefined, name: string): string[] {
  const { imports = [] } = chunksOf(bundle).find(({ fileName }) => fileName === name) ?? {}
  return [...new Set([...imports.flatMap((each) => withImports(bundle, each)), name])]
}

const chunksOf = (bundle: Bundle | undefined) =>
  Object.values(bundle ?? {}).filter((output) => output.type === 'chunk')

/** A script of its own for the page, minified. */
export async function bundled(
  source: string,
  mode: string,
  define: Record<string, string> = {},
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
  if (!output || !('output' in output)) throw new Error(`${source} was not built`)
  return output.output[0].code.trim()
}
