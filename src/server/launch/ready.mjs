import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'
import { install } from './install.mjs'
import { locked } from './lock.mjs'

/** The project's folder. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Installs what is missing and builds what is stale; two at once take turns. */
export async function ready() {
  await readyToBuild()
  await locked(join(root, 'dist/.lock'), () => build(root))
}

/** Installs what is missing. */
export async function readyToBuild() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    throw new Error(`Soma needs Node 20.19 or newer; this is ${process.versions.node}.`)
  await locked(join(root, 'dist/.lock'), () => install(root))
}
