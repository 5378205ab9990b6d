import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Alias, build, type Plugin } from 'vite'
import { getManifest } from 'workbox-build'

/* Part of the build (vite.config.ts), not of the worker. */

const here = import.meta.dirname

/** Files worth having on the phone before they are asked for; the rest is kept when first used. */
const precached = [
  'index.html',
  'assets/*.{js,css,woff2,svg}',
  'icons/*.svg',
  'manifest.webmanifest',
]
/** Screens few people open; the demo is for meeting all of them. */
const onlyOnline = ['assets/admin-*']

/**
 * Builds the worker beside the app: `outbox.ts` into a script that is named by its bytes, then
 * `sw.ts` into `sw.js` with that name and the list of the app's files in it. In the demo nothing is
 * sent with no page open.
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
        const files = await precacheList(outDir, inDemo ? [] : onlyOnline)
        const outbox = inDemo
          ? ''
          : `/${await classicScript(outDir, 'outbox.ts', 'assets/sw-outbox-[hash].js', alias)}`
        await classicScript(outDir, 'sw.ts', 'sw.js', alias, {
          __PRECACHE__: JSON.stringify(files),
          __OUTBOX__: JSON.stringify(outbox),
          __DEMO__: String(inDemo),
        })
      },
    },
  }
}

/** One file of a source and all it imports, without import or export; answers its name below `outDir`. */
async function classicScript(
  outDir: string,
  source: string,
  name: string,
  alias: Alias[],
  define: Record<string, string> = {},
): Promise<string> {
  const built = await build({
    configFile: false,
    root: here,
    publicDir: false,
    logLevel: 'warn',
    define,
    resolve: { alias },
    build: {
      outDir,
      emptyOutDir: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(here, source),
        // What Vite adds around an import on demand speaks of it; in one file nothing of that runs.
        transform: { define: { 'import.meta': '{}' } },
        output: { format: 'iife', entryFileNames: name, codeSplitting: false },
      },
    },
  })
  const [output] = [built].flat()
  if (!output || !('output' in output)) throw new Error(`${source} was not built`)
  return output.output[0].fileName
}

/** `integrity` lets the worker refuse what a hotel portal or a half-finished release answers. */
async function precacheList(
  outDir: string,
  without: string[],
): Promise<{ url: string; integrity: string }[]> {
  const { manifestEntries } = await getManifest({
    globDirectory: outDir,
    globPatterns: precached,
    globIgnores: without,
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
