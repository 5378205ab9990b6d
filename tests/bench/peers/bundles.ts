import { basename, join } from 'node:path'
import { build, type Rolldown } from 'vite'

const here = import.meta.dirname
const root = join(here, '../../..')

export type Files = Map<string, { type: string; body: string | Buffer }>

/** One script for each page that is measured, by the address it is served under. */
export async function pages(): Promise<Files> {
  const files: Files = new Map()
  const ours = await chunks(join(here, 'ours/page.ts'), { whole: true })
  files.set('/ours.js', script(ours))
  for (const path of ['tanstack', 'rxdb', 'workbox', 'worker/workbox-worker'])
    files.set(
      `/${basename(path)}.js`,
      script(await chunks(join(here, 'theirs', `${path}.ts`), { whole: true })),
    )
  return files
}

const script = ([chunk]: Rolldown.OutputChunk[]) => ({
  type: 'text/javascript',
  body: chunk?.code ?? '',
})

/**
 * A production build in memory, the entry first. `whole`: everything in one file. `without`: packages
 * left out. The alias of Dexie is the app's own.
 */
export async function chunks(
  entry: string,
  { whole = false, without = [] as RegExp[] } = {},
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
        external: without,
        preserveEntrySignatures: 'strict',
        output: { format: 'es', codeSplitting: whole ? false : undefined },
      },
    },
  })) as Rolldown.RolldownOutput
  const found = out.output.filter((each) => each.type === 'chunk')
  return found.sort((a, b) => Number(b.isEntry) - Number(a.isEntry))
}
