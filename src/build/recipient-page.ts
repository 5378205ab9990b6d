import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Alias, Plugin } from 'vite'
import { classicScript } from './service-worker.ts'

/* Runs in the build (vite.config.ts), not in the worker. */

const source = join(import.meta.dirname, '../recipient')

/** Builds the recipient's page (R111) beside the app: `h.html`, its one script, and its worker, `h/sw.js`. */
export function recipientPage(alias: Alias[]): Plugin {
  let outDir = ''
  return {
    name: 'soma:recipient-page',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const name = 'assets/recipient-[hash:6].js'
        const script = `/${await classicScript(outDir, join(source, 'main.ts'), name, alias)}`
        const html = (await readFile(join(source, 'index.html'), 'utf8')).replace(
          '%SCRIPT%',
          script,
        )
        await writeFile(join(outDir, 'h.html'), html.replace(/\n\s+/g, '\n'))
        // The page's text belongs to its release: a worker of other bytes is a new one.
        const release = createHash('sha256').update(html).digest('hex').slice(0, 12)
        await classicScript(outDir, 'recipient.ts', 'h/sw.js', alias, {
          __SCRIPT__: JSON.stringify(script),
          __RELEASE__: JSON.stringify(release),
        })
      },
    },
  }
}
