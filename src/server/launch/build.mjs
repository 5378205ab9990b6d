import { createHash } from 'node:crypto'
import {
  copyFileSync,
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

/** @typedef {{ sources: string, assets: Record<string, string[]> }} Stamp */

const parts = ['app', 'demo', 'server']
const inputs = ['src', 'sw', 'public', 'vite.config.ts', 'package.json', 'package-lock.json']

/**
 * Builds the app, the demo and the server into dist when their sources are not those of the last build.
 * Throws with one line (and Vite's own words before it) when a build fails; the last build then stays.
 * @param {string} root
 */
export async function build(root) {
  const dist = join(root, 'dist')
  const sources = fingerprint(root)
  const last = readStamp(dist)
  if (last?.sources === sources && isWhole(dist)) return
  console.log('Building …')
  // What a killed build left behind; a new name, because its Vite may be writing there still.
  for (const name of readdirSync(dist))
    if (name.startsWith('.new-')) rmSync(join(dist, name), { recursive: true, force: true })
  const fresh = join(dist, `.new-${process.pid}`)
  await vite(root, ['--outDir', join(fresh, 'app')])
  await vite(root, ['--mode', 'demo', '--outDir', join(fresh, 'demo')])
  await vite(root, ['--mode', 'server', '--outDir', join(fresh, 'server')])
  /** @type {Stamp['assets']} */
  const assets = {}
  for (const part of ['app', 'demo']) {
    assets[part] = readdirSync(join(fresh, part, 'assets'))
    const kept = last?.assets?.[part] ?? []
    keepAssets(join(dist, part, 'assets'), join(fresh, part, 'assets'), kept)
  }
  // A start killed between here and the stamp builds again.
  rmSync(join(dist, 'stamp.json'), { force: true })
  for (const part of parts) replace(join(dist, part), join(fresh, part))
  rmSync(fresh, { recursive: true, force: true })
  writeFileSync(join(dist, 'stamp.json'), JSON.stringify({ sources, assets }))
}

/** @param {string} root @param {string[]} args */
async function vite(root, args) {
  const bin = join(root, 'node_modules/vite/bin/vite.js')
  const config = join(root, 'vite.config.ts')
  const all = [bin, 'build', '--config', config, '--emptyOutDir', '--logLevel', 'warn', ...args]
  // A NODE_ENV of the caller's would put development code into the app.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { code, output } = await run(process.execPath, all, { cwd: root, env })
  if (code === 0) return
  console.error(output.trim())
  throw new Error('The build failed, see above.')
}

/**
 * A page opened before this build may still ask for its own chunks: those of one build back stay.
 * @param {string} from
 * @param {string} to
 * @param {string[]} names
 */
function keepAssets(from, to, names) {
  for (const name of names)
    if (existsSync(join(from, name)) && !existsSync(join(to, name)))
      copyFileSync(join(from, name), join(to, name))
}

/** @param {string} old @param {string} fresh */
function replace(old, fresh) {
  const aside = `${old}.old`
  rmSync(aside, { recursive: true, force: true })
  if (existsSync(old)) renameSync(old, aside)
  renameSync(fresh, old)
  rmSync(aside, { recursive: true, force: true })
}

/** A hash over every source's path and bytes. @param {string} root */
function fingerprint(root) {
  const hash = createHash('sha256')
  for (const input of inputs)
    for (const file of filesIn(root, input)) {
      hash.update(`${file}\0`)
      hash.update(readFileSync(join(root, file)))
      hash.update('\0')
    }
  return hash.digest('hex')
}

/** @param {string} root @param {string} path @returns {string[]} */
function filesIn(root, path) {
  const full = join(root, path)
  if (!existsSync(full)) return []
  if (statSync(full).isFile()) return [path]
  const names = readdirSync(full).sort()
  return names.flatMap((name) => filesIn(root, join(path, name)))
}

/** @param {string} dist */
const isWhole = (dist) =>
  ['app/index.html', 'app/sw.js', 'demo/index.html', 'demo/sw.js', 'server/main.js'].every((file) =>
    existsSync(join(dist, file)),
  )

/** @param {string} dist @returns {Stamp | undefined} */
function readStamp(dist) {
  try {
    return JSON.parse(readFileSync(join(dist, 'stamp.json'), 'utf8'))
  } catch {
    return undefined
  }
}
