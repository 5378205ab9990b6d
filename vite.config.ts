import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, type Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { getManifest } from 'workbox-build'

const here = import.meta.dirname
const inPackages = (path: string) => join(here, 'node_modules', path)
const firstPackages =
  /node_modules[\\/](react|react-dom|react-router|react-router-dom|scheduler|dexie|dexie-react-hooks|zod|uuid|workbox-window)[\\/]/

/*
 * vite build                  the app and its service worker, to dist/app
 * vite build --mode server    the server, to dist/server/main.js, its packages left in node_modules
 * vite                        the app with hot reload, /api answered by the server on PORT
 * vitest                      tests of every room but e2e
 */
export default defineConfig(({ mode }) => ({
  root: mode === 'test' ? here : join(here, 'src'),
  publicDir: join(here, 'public'),
  resolve: { alias: mode === 'production' ? slimmer : [] },
  plugins: mode === 'server' ? [] : [react(), tailwindcss(), serviceWorker(), precompressed()],
  build: mode === 'server' ? serverBuild : appBuild,
  server: {
    port: 5173,
    strictPort: true,
    proxy: { '/api': `http://127.0.0.1:${process.env.PORT ?? 8080}` },
  },
  test: {
    include: ['tests/**/*.test.{ts,tsx}'],
    exclude: ['tests/e2e/**'],
    environment: 'node',
    globalSetup: ['tests/helpers/postgres.ts'],
    // Dexie looks for IndexedDB when it is first imported.
    setupFiles: ['fake-indexeddb/auto'],
    // Two cores, and a PostgreSQL beside the tests.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
}))

/** The same packages in the builds that cost a phone least. */
const slimmer = [
  { find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' },
  {
    find: /^workbox-window$/,
    replacement: inPackages('workbox-window/build/workbox-window.prod.mjs'),
  },
  {
    find: /^react-router(-dom)?$/,
    replacement: inPackages('react-router/dist/production/index.mjs'),
  },
]

const appBuild = {
  outDir: join(here, 'dist/app'),
  emptyOutDir: true,
  reportCompressedSize: false,
  modulePreload: { polyfill: false },
  rolldownOptions: {
    output: {
      // What every first page needs, apart from our own code: a release of ours then leaves this
      // file's name as it was, and a phone does not pay for it twice.
      codeSplitting: { groups: [{ name: 'packages', test: firstPackages }] },
    },
  },
}

const serverBuild = {
  outDir: join(here, 'dist/server'),
  emptyOutDir: true,
  copyPublicDir: false,
  ssr: join(here, 'src/server/main.ts'),
  target: 'node20',
  minify: false,
  // One file: the server finds its migrations by the depth at which main.js lies.
  rolldownOptions: { output: { entryFileNames: 'main.js', codeSplitting: false } },
}

/** Files worth having on the phone before they are asked for; the rest is kept when first used. */
const precached = [
  'index.html',
  'assets/*.{js,css,woff2,svg}',
  'icons/*.svg',
  'manifest.webmanifest',
]
const onlyOnline = ['assets/admin-*']

/**
 * Builds the worker beside the app: `sw/outbox.ts` into a script that is named by its bytes, then
 * `sw/sw.ts` into `sw.js` with that name and the list of the app's files in it.
 */
function serviceWorker(): Plugin {
  let outDir = ''
  return {
    name: 'soma:service-worker',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const files = await precacheList(outDir)
        const outbox = await classicScript(outDir, 'sw/outbox.ts', 'assets/sw-outbox-[hash].js', {})
        await classicScript(outDir, 'sw/sw.ts', 'sw.js', {
          __PRECACHE__: JSON.stringify(files),
          __OUTBOX__: JSON.stringify(`/${outbox}`),
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
  define: Record<string, string>,
): Promise<string> {
  const built = await build({
    configFile: false,
    root: here,
    publicDir: false,
    logLevel: 'warn',
    define,
    resolve: { alias: slimmer },
    build: {
      outDir,
      emptyOutDir: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(here, source),
        output: { format: 'iife', entryFileNames: name, codeSplitting: false },
      },
    },
  })
  const [output] = [built].flat()
  if (!output || !('output' in output)) throw new Error(`${source} was not built`)
  return output.output[0].fileName
}

/** `integrity` lets the worker refuse what a hotel portal or a half-finished release answers. */
async function precacheList(outDir: string): Promise<{ url: string; integrity: string }[]> {
  const { manifestEntries } = await getManifest({
    globDirectory: outDir,
    globPatterns: precached,
    globIgnores: onlyOnline,
    maximumFileSizeToCacheInBytes: 2_000_000,
  })
  return Promise.all(
    manifestEntries.map(async ({ url }) => ({
      url: `/${url}`,
      integrity: `sha256-${createHash('sha256')
        .update(await readFile(join(outDir, url)))
        .digest('base64')}`,
    })),
  )
}

/** Writes `.br` and `.gz` beside every text file, so that no request waits for a compressor. */
function precompressed(): Plugin {
  let outDir = ''
  return {
    name: 'soma:precompressed',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const names = await readdir(outDir, { recursive: true })
        const texts = names.filter((name) => /\.(html|js|css|svg|json|webmanifest|txt)$/.test(name))
        await Promise.all(texts.map((name) => compress(join(outDir, name))))
      },
    },
  }
}

async function compress(file: string) {
  const bytes = await readFile(file)
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
}
