/*
 * `npm start`: installs what is missing, builds what is stale, then becomes the server. Plain
 * JavaScript, because it runs before anything is installed.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { endOnSignal } from './children.mjs'
import { ready, root } from './ready.mjs'

const letGo = endOnSignal(() => 0)
try {
  await ready()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
// From here on the signals are the server's own.
letGo()
await import(String(pathToFileURL(join(root, 'dist/server/main.js'))))
