import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { run } from './children.mjs'

const parts = ['app', 'demo', 'server']
const sources = ['src', 'sw', 'public', 'vite.config.ts', 'package.json', 'package-lock.json']

/**
 * Builds the app, the demo and the server into dist when a source has changed since the last build began.
 * Throws with one line (and Vite's own words before it) when a build fails; the last build then stays.
 * @param {string} root
 */
export async function build(root) {
  const dist = join(root, 'dist')
  const last = builtAt(dist)
  if (changedAt(root) < last) return
  console.log('Building …')
  const began = Date.now()
  const fresh = join(dist, '.new')
  for (const part of parts) await vite(root, part, join(fresh, part))
  for (const part of ['app', 'demo']) keepAssets(join(dist, part), join(fresh, part), last)
  // If the build is killed before its last line, the next start builds again.
  rmSync(join(dist, 'built'), { force: true })
  for (const part of parts) {
    rmSync(join(dist, part), { recursive: true, force: true })
    renameSync(join(fresh, part), join(dist, part))
  }
  writeFileSync(join(dist, 'built'), `${began}`)
}

/** @param {string} root @param {string} part @param {string} outDir */
async function vite(root, part, outDir) {
  const bin = join(root, 'node_modules/vite/bin/vite.js')
  const mode = part === 'app' ? 'production' : part
  const args = [bin, 'build', '--config', join(root, 'vite.config.ts'), '--mode', mode]
  const more = ['--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn']
  // The caller's NODE_ENV could put development code into the app.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { code, output } = await run(process.execPath, [...args, ...more], { cwd: root, env })
  if (code === 0) return
  console.error(output.trim())
  throw new Error('The build failed, see above.')
}

/**
 * A page opened before this build may still request its chunks, so those of the previous build stay, with their
 * times. @param {string} from @param {string} to @param {number} last when the last build began
 */
function keepAssets(from, to, last) {
  if (!existsSync(join(from, 'assets'))) return
  cpSync(join(from, 'assets'), join(to, 'assets'), {
    recursive: true,
    force: false,
    preserveTimestamps: true,
    filter: (path) => statSync(path).mtimeMs >= last,
  })
}

/** When the newest source was changed, or one was added or removed: milliseconds since 1970. @param {string} root */
export function changedAt(root) {
  const paths = sources.filter((path) => existsSync(join(root, path)))
  const below = paths
    .filter((path) => statSync(join(root, path)).isDirectory())
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, `${path}`)),
    )
  return Math.max(...[...paths, ...below].map((path) => statSync(join(root, path)).mtimeMs))
}

/** When the last build began, milliseconds since 1970; 0 when there is none. @param {string} dist */
function builtAt(dist) {
  const file = join(dist, 'built')
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
}
