import { join } from 'node:path'
import { build, type Plugin } from 'vite'

const place = '<!-- boot.ts -->'
const stylesheet = /\s*<link rel="stylesheet"[^>]*>/g

/**
 * Writes `boot.ts`, bundled, into index.html in the place of its comment, and the stylesheets behind it: before
 * it they would keep the first paint waiting. The server allows inline scripts by the hashes of those in the
 * page (`node/listen/static-files.ts`).
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
      async handler(html) {
        const script = `<script>${(await bundled(source, mode)).trim()}</script>`
        const sheets = html.match(stylesheet) ?? []
        return html.replace(stylesheet, '').replace(place, () => script + sheets.join(''))
      },
    },
  }
}

async function bundled(source: string, mode: string): Promise<string> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    mode,
    build: {
      write: false,
      rolldownOptions: { input: source, output: { format: 'iife', codeSplitting: false } },
    },
  })
  const [output] = [built].flat()
  if (!output || !('output' in output)) throw new Error('boot.ts was not built')
  return output.output[0].code
}
