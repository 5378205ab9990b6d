import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './children.mjs'

/**
 * Installs the packages of package-lock.json, development ones too, when they are not all there.
 * Throws with one line (and npm's own words before it) when npm cannot.
 * @param {string} root
 */
export async function install(root) {
  if (isInstalled(root)) return
  console.log('Installing packages …')
  const npm = process.env.npm_execpath
  const [command, ...first] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm']
  // Building needs development packages, whatever NODE_ENV says.
  const args = [...first, 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund']
  const { code, output } = await run(command ?? 'npm', args, { cwd: root })
  if (code === 0) return
  console.error(output.trim())
  throw new Error('The packages could not be installed: npm ci failed, see above.')
}

/**
 * Whether node_modules holds the versions of package-lock.json. npm writes node_modules/.package-lock.json as the
 * last act of an install. Times would not tell: a checkout or a copy changes them.
 * @param {string} root
 */
export function isInstalled(root) {
  const file = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(file)) return false
  const held = packagesIn(file)
  return Object.entries(packagesIn(join(root, 'package-lock.json'))).every(
    ([path, { version, optional, devOptional }]) =>
      // Packages for other machines are in the lockfile only.
      path === '' || (held[path] ? held[path].version === version : optional || devOptional),
  )
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean, devOptional?: boolean }>}
 */
const packagesIn = (file) => JSON.parse(readFileSync(file, 'utf8')).packages
