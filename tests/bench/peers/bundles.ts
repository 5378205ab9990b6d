import { basename, join } from 'node:path'
import { build, type Rolldown } from 'vite'

const here = import.meta.dirname
const root = join(here, '../../..')

export type Files = Map<string, { type: string; body: string | Buffer }>

/** One script for each page that is measured, by the address it is served under. */
export async function pages(): Promise<Files> {
  const files: Files = new Map()
  const ours = await chunks(join(here, 'ours/page.ts'))
  files.set('/ours.js', script(ours))
  for (const path of ['tanstack', 'rxdb', 'workbox', 'worker/workbox-worker'])
    files.set(`/${basename(path)}.js`, script(await chunks(join(here, 'theirs', `${path}.ts`))))
  return files
}

const script = ([chunk]: Rolldown.OutputChunk[]) => ({
  type: 'text/javascript',
  body: chunk?.code ?? '',
})

/** Files of a build, and which modules go into each; what is in none is left to the bundler. */
export type Groups = { name: string; test: (module: string) => boolean }[]

/**
 * A production build in memory, the entry first: one file, or the groups and what is loaded later.
 * The alias of Dexie is the app's own.
 */
export async function chunks(
  entry: string,
  groups: 'one file' | Groups = 'one file',
): Promise<Rolldown.OutputChunk[]> {
  const out = (await build({
    configFile: false,
    logLevel: 'error',
    root,
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { alias: [{ find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' }] },
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: 'allow-extension',
        output: {
          format: 'es',
          codeSplitting:
            groups === 'one file' ? false : { groups, includeDependenciesRecursively: false },
        },
      },
    },
  })) as Rolldown.RolldownOutput
  const found = out.output.filter((each) => each.type === 'chunk')
  return found.sort((a, b) => Number(b.isEntry) - Number(a.isEntry))
}
