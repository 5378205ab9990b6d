import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './children.mjs'

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean, link?: boolean }} Installed */

/**
 * Installs the packages of package-lock.json, development ones too, when they are not all there.
 * Throws with one line (and npm's own words before it) when npm cannot.
 * @param {string} root
 */
export async function install(root) {
  const missing = firstMissing(root)
  if (!missing) return
  console.log(`Installing packages (${missing}) …`)
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
 * Why an install is due, or undefined when node_modules holds what the lockfile names.
 * npm writes node_modules/.package-lock.json as the last act of a whole install.
 * @param {string} root
 * @returns {string | undefined}
 */
export function firstMissing(root) {
  const wanted = packagesIn(join(root, 'package-lock.json'))
  if (!wanted) throw new Error('package-lock.json is missing or cannot be read.')
  const held = packagesIn(join(root, 'node_modules/.package-lock.json'))
  if (!held) return 'none are there'
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '' || entry.link) continue
    const name = path.replace('node_modules/', '')
    const found = held[path]
    // Packages for other machines are in the lockfile only.
    if (!found && (entry.optional || entry.devOptional)) continue
    if (!found) return `${name} is missing`
    if (found.version !== entry.version || found.integrity !== entry.integrity)
      return `${name} is another version`
    if (!existsSync(join(root, path, 'package.json'))) return `${name} is gone`
  }
  return undefined
}

/** @param {string} file @returns {Record<string, Installed> | undefined} */
function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}
