/*
 * `npm run dev`: the app with hot reload on http://localhost:5173, and the server, built again and
 * started again whenever one of its files changes.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { endChildren, endOnSignal, run } from './children.mjs'
import { readyToBuild, root } from './ready.mjs'

const letGo = endOnSignal(() => 0)
await readyToBuild()
letGo()

const { build } = await import('vite')
const configFile = join(root, 'vite.config.ts')
const outDir = join(root, 'dist/dev')

/** @type {import('node:child_process').ChildProcess | undefined} */
let server
/** Each restart waits for the one before, because builds may come faster than a server stops. */
let turn = Promise.resolve()
let ending = false

const watcher = await build({
  configFile,
  mode: 'server',
  logLevel: 'warn',
  build: { outDir, emptyOutDir: false, watch: {} },
})
if ('on' in watcher)
  watcher.on('event', async (event) => {
    if (event.code === 'ERROR') console.error(event.error.message)
    if (event.code === 'BUNDLE_END') await event.result.close()
    if (event.code === 'END') turn = turn.then(restart)
  })

// A process of its own: Vite's development server would end this one before its children have ended.
const vite = join(root, 'node_modules/vite/bin/vite.js')
run(process.execPath, [vite, '--config', configFile], { cwd: root, show: true }).then(end)

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
  await turn
  await stop()
  await endChildren()
  process.exit(0)
}
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, end)
