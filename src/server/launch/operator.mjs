import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { endOnSignal } from './children.mjs'
import { ready, root } from './ready.mjs'
import { asService } from './service.mjs'

/*
 * `npm run admin|backup|restore`: installs what is missing, builds what is stale, then runs the command that the
 * first argument names, on the database of the systemd service that runs this folder, if there is one. An image
 * holds neither sources nor packages of the build. Plain JavaScript, because it runs before anything is installed.
 */
const letGo = endOnSignal(() => 1)
try {
  const { mayBuild, takeUser } = asService(root)
  if (mayBuild && existsSync(join(root, 'vite.config.ts'))) await ready()
  takeUser()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
letGo()
// The server's own file, which reads the same argument.
await import(String(pathToFileURL(join(root, 'dist/server/main.js'))))
