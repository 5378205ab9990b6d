import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { firstPage as firstPageMarkup } from './src/build/first-page.ts'
import { buildTarget } from './src/build/oldest-browsers.ts'
import { pureRouter } from './src/build/pure-router.ts'
import { recipientPage } from './src/build/recipient-page.ts'
import { serviceWorker } from './src/build/service-worker.ts'

const here = import.meta.dirname
const inPackages = (path: string) => join(here, 'node_modules', path)

/*
 * vite build                  the app and its service worker, to dist/app
 * vite build --mode demo      the app with its server in the page, for any static host, to dist/demo
 * vite build --mode server    the server, to dist/server/main.js, its packages left in node_modules
 * vite                        the app with hot reload, /api answered by the server on PORT
 * vitest                      tests of every room but e2e
 */
export default defineConfig(({ mode }) => ({
  root: mode === 'test' ? here : join(here, 'src'),
  publicDir: join(here, 'public'),
  base: mode === 'demo' ? './' : '/',
  resolve: { alias: ['production', 'demo'].includes(mode) ? slimmer : [] },
  plugins:
    mode === 'server'
      ? []
      : [
          react(),
          // Vite itself lowers the styles, to the target of the build.
          tailwindcss({ optimize: false }),
          firstPageMarkup(),
          pureRouter(),
          mode === 'demo' && demoIdentity(),
          serviceWorker(slimmer),
          mode === 'production' && recipientPage(slimmer),
          precompressed(),
          mode === 'demo' && demoEntry(),
          mode === 'demo' && notFoundPage(),
        ],
  build: mode === 'server' ? serverBuild : mode === 'demo' ? demoBuild : appBuild,
  server: {
    port: 5173,
    strictPort: true,
    proxy: { '/api': `http://127.0.0.1:${process.env.PORT ?? 8080}` },
  },
  test: {
    include: ['tests/**/*.test.{ts,tsx}'],
    exclude: ['tests/{e2e,slow}/**', '**/node_modules/**'],
    environment: 'node',
    globalSetup: [join(here, 'tests/helpers/database/postgres.ts')],
    setupFiles: [join(here, 'tests/helpers/setup.ts')],
    // Files share a process (tests/helpers/setup.ts): importing everything anew takes a quarter of the time.
    isolate: false,
    sequence: { sequencer: ScenariosFirst },
    // Two more than the two cores of a small machine: tests wait for processes and timers.
    maxWorkers: 4,
    execArgv: ['--max-semi-space-size=32'],
    // Ends what hangs; no test comes near it on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 120_000,
    // Patience for two busy cores; nothing waits that long when all is well.
    expect: { poll: { timeout: 60_000 } },
  },
}))

/** Random scenarios are the longest files and begin first: a file that begins last runs alone. */
export class ScenariosFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isFirst = ({ moduleId }: TestSpecification) => Number(moduleId.includes('/sync/model/'))
    return (await super.sort(files)).sort((one, two) => isFirst(two) - isFirst(one))
  }
}

/** The same packages in the builds that cost a phone least. */
const slimmer = [
  { find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' },
  {
    find: /^react-router(-dom)?$/,
    replacement: inPackages('react-router/dist/production/index.mjs'),
  },
  // The demo's server answers one visitor: the smallest of Hono's routers is fast enough for it.
  { find: /^hono$/, replacement: 'hono/tiny' },
]

/** Modules that a page cannot start without. */
const firstPage: ['$initial'] = ['$initial']

/** What several parts of the admin's screens share, with the plots. */
const sharedByAdmins = 'admin-shared'

/**
 * Names a chunk after its screen. `admin-` stands before the admin's chunks and no other: the worker
 * does not precache files of that name (src/build/service-worker.ts).
 */
function chunkFileNames(chunk: { name: string; facadeModuleId?: string | null }): string {
  const [, screen] = chunk.facadeModuleId?.match(/[\\/]app[\\/]screens[\\/]([^\\/]+)/) ?? []
  const name = screen !== undefined && chunk.name === 'page' ? screen : chunk.name
  if (screen === 'admin' || chunk.name === sharedByAdmins)
    return `assets/admin-${chunk.name.replace(/^admin-/, '')}-[hash:7].js`
  return `assets/${name.replace(/^admin-/, 'shared-admin-')}-[hash:7].js`
}

/** What the packages whose code is built in ask to be said with it. Packages left in node_modules bring their own. */
const license = { fileName: 'licenses.txt' }

const appBuild = {
  outDir: join(here, 'dist/app'),
  target: buildTarget,
  license,
  emptyOutDir: true,
  reportCompressedSize: false,
  modulePreload: { polyfill: false },
  rolldownOptions: {
    output: {
      chunkFileNames,
      // What every first page needs, in two files: a release of ours leaves that of others' code as it was, and a phone
      // does not pay for it twice.
      codeSplitting: {
        groups: [
          { name: 'packages', test: /node_modules/, tags: firstPage },
          { name: 'first', test: /[\\/]src[\\/]/, tags: firstPage },
          // What several screens share is one file: each file more is one more that can be missing offline.
          {
            name: 'rules',
            test: /[\\/]src[\\/](domain|operations|contract)[\\/]/,
            minShareCount: 2,
            includeDependenciesRecursively: false,
          },
          // Before the next one: no other screen may load it, or be missing offline because it does.
          {
            name: sharedByAdmins,
            test: /[\\/]screens[\\/]admin[\\/]|[\\/]uplot[\\/]/,
            minShareCount: 2,
            includeDependenciesRecursively: false,
          },
          {
            name: 'shared',
            // The demo's first page imports login-help; inside this file, it would load all of it.
            test: /[\\/]src[\\/](app|scan|store|sync)[\\/](?!.*login-help)/,
            minShareCount: 2,
            includeDependenciesRecursively: false,
          },
        ],
      },
    },
  },
}

const demoBuild = { ...appBuild, outDir: join(here, 'dist/demo') }

/** The demo's page begins with the demo's script: with the app's, a request more stands before the first screen. */
function demoEntry(): Plugin {
  return {
    name: 'soma:demo-entry',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replace('src="/main.tsx"', 'src="/demo/start-demo.tsx"'),
    },
  }
}

/**
 * An installed demo is an app of its own: browsers resolve an `id` against the origin, which the demo may share with
 * the app. Without one its address tells them apart. Runs before the worker lists the files.
 */
function demoIdentity(): Plugin {
  let outDir = ''
  return {
    name: 'soma:demo-identity',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
    },
    closeBundle: {
      order: 'pre',
      sequential: true,
      async handler() {
        const file = join(outDir, 'manifest.webmanifest')
        const { id: _, ...manifest } = JSON.parse(await readFile(file, 'utf8'))
        await writeFile(file, JSON.stringify(manifest))
      },
    },
  }
}

/** What a static host answers where it has no file: deep links of the demo find their way from there. */
function notFoundPage(): Plugin {
  return {
    name: 'soma:not-found-page',
    apply: 'build',
    async generateBundle() {
      const source = await readFile(join(here, 'src/demo/404.html'))
      this.emitFile({ type: 'asset', fileName: '404.html', source })
    },
  }
}

const serverBuild = {
  outDir: join(here, 'dist/server'),
  emptyOutDir: true,
  copyPublicDir: false,
  ssr: join(here, 'src/server/node/main.ts'),
  target: 'node20',
  minify: false,
  rolldownOptions: { output: { entryFileNames: 'main.js', codeSplitting: false } },
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
