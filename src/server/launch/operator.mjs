import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { endOnSignal } from './children.mjs'
import { ready, root } from './ready.mjs'

/**
 * Installs what is missing, builds what is stale, then runs a command of the operator's. Plain JavaScript,
 * because it runs before anything is installed.
 * @param {'admin' | 'backup' | 'restore'} command
 */
export async function runOperatorCommand(command) {
  const letGo = endOnSignal(() => 1)
  try {
    await ready()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
  letGo()
  // The same file as the server's: it looks at its first argument.
  process.argv.splice(2, 0, command)
  await import(String(pathToFileURL(join(root, 'dist/server/main.js'))))
}
