/*
 * `npm run dev`: the app with hot reload on http://localhost:5173, and the server, built again and
 * started again whenever one of its files changes.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { endChildren, endOnSignal } from './launch/children.mjs'
import { readyToBuild, root } from './launch/ready.mjs'

const letGo = endOnSignal(() => 0)
await readyToBuild()
letGo()

const { build, createServer } = await import('vite')
const configFile = join(root, 'vite.config.ts')
const outDir = join(root, 'dist/dev')

/** @type {import('node:child_process').ChildProcess | undefined} */
let server
let ending = false

const app = await createServer({ configFile })
await app.listen()
app.printUrls()

// As deep as dist/server, so that the server finds its migrations.
const watcher = await build({
  configFile,
  mode: 'server',
  logLevel: 'warn',
  build: { outDir, watch: {} },
})
if ('on' in watcher)
  watcher.on('event', async (event) => {
    if (event.code === 'ERROR') console.error(event.error.message)
    if (event.code === 'BUNDLE_END') await event.result.close()
    if (event.code === 'END') await restart()
  })

async function restart() {
  await stop()
  if (ending) return
  // The app is on Vite's port, and photos must come from the app's own origin.
  const env = { PUBLIC_ORIGIN: 'http://localhost:5173', ...process.env }
  server = spawn(process.execPath, [join(outDir, 'main.js')], { cwd: root, env, stdio: 'inherit' })
}

async function stop() {
  const old = server
  server = undefined
  if (!old || old.exitCode !== null || old.signalCode !== null) return
  const ended = new Promise((resolve) => old.once('exit', resolve))
  old.kill('SIGTERM')
  await ended
}

async function end() {
  if (ending) return
  ending = true
  if ('close' in watcher) await watcher.close()
  await stop()
  await app.close()
  await endChildren()
  process.exit(0)
}
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, end)
