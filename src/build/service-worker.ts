import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Alias, build, type Plugin } from 'vite'
import { getManifest } from 'workbox-build'
import { buildTarget } from './oldest-browsers.ts'

/* Runs in the build (vite.config.ts), not in the worker. */

const sources = join(import.meta.dirname, '../../sw')

/** Files that are stored at the install; the others are stored when they are first used. */
const precachedFiles = [
  'index.html',
  'assets/*.{js,css,woff2,svg}',
  'icons/*.svg',
  'manifest.webmanifest',
]
/** Screens that few people open. The demo precaches them, because its visitors open every screen. */
const notPrecached = ['assets/admin-*', 'assets/recipient-*']
/** Stored when the page asks for them: the scanner, for a driver with a job (R110). */
const storedOnRequest = ['assets/scan-*.js']

/**
 * Builds the worker beside the app: `outbox.ts` into a script with a hash in its name, then `sw.ts`
 * into `sw.js`, which contains that name and the list of the app's files. The demo's worker sends
 * nothing. `alias`: the aliases of the app's own build.
 */
export function serviceWorker(alias: Alias[]): Plugin {
  let outDir = ''
  let inDemo = false
  return {
    name: 'soma:service-worker',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
      inDemo = config.mode === 'demo'
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const ignored = inDemo ? [] : [...notPrecached, ...storedOnRequest]
        const files = await fileList(outDir, precachedFiles, ignored)
        const parts = inDemo ? [] : await fileList(outDir, storedOnRequest)
        const outbox = inDemo
          ? ''
          : `/${await classicScript(outDir, 'outbox.ts', 'assets/sw-outbox-[hash].js', alias)}`
        await classicScript(outDir, 'sw.ts', 'sw.js', alias, {
          __PRECACHE__: JSON.stringify(files),
          __PARTS__: JSON.stringify(parts),
          __OUTBOX__: JSON.stringify(outbox),
          __DEMO__: String(inDemo),
        })
      },
    },
  }
}

/** Bundles a source (its path, from the worker's folder) and its imports into one script that is no module; returns its name below `outDir`. */
export async function classicScript(
  outDir: string,
  source: string,
  name: string,
  alias: Alias[],
  define: Record<string, string> = {},
): Promise<string> {
  const built = await build({
    configFile: false,
    root: sources,
    publicDir: false,
    logLevel: 'warn',
    define,
    resolve: { alias },
    build: {
      outDir,
      target: buildTarget,
      emptyOutDir: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: resolve(sources, source),
        // Vite's helper for dynamic imports reads it; a single file never runs that helper.
        transform: { define: { 'import.meta': '{}' } },
        output: { format: 'iife', entryFileNames: name, codeSplitting: false },
      },
    },
  })
  const [output] = [built].flat()
  if (!output || !('output' in output)) throw new Error(`${source} was not built`)
  return output.output[0].fileName
}

/** With each file's hash, by which the worker refuses a captive portal's page or a half-copied release. */
async function fileList(
  outDir: string,
  patterns: string[],
  ignored: string[] = [],
): Promise<{ url: string; integrity: string }[]> {
  const { manifestEntries } = await getManifest({
    globDirectory: outDir,
    globPatterns: patterns,
    globIgnores: ignored,
    maximumFileSizeToCacheInBytes: 2_000_000,
  })
  return Promise.all(
    manifestEntries.map(async ({ url }) => ({
      url,
      integrity: `sha256-${createHash('sha256')
        .update(await readFile(join(outDir, url)))
        .digest('base64')}`,
    })),
  )
}
