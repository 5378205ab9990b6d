/*
 * `npm run demo`: installs what is missing, builds what is stale, and serves the demo as the plain
 * static files it is. Plain JavaScript, because it runs before anything is installed.
 */
import { join } from 'node:path'
import { endOnSignal } from './children.mjs'
import { ready, root } from './ready.mjs'
import { staticHost } from './static-host.mjs'

const letGo = endOnSignal(() => 0)
const port = Number(process.env.PORT || 8081)
try {
  await ready()
  const server = await staticHost(join(root, 'dist/demo'), { port, host: process.env.HOST })
  letGo()
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'])
    process.on(name, () => {
      server.close(() => process.exit(0))
      server.closeAllConnections()
    })
  console.log(`The demo is at http://localhost:${port}`)
} catch (error) {
  const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  const said = error instanceof Error ? error.message : error
  console.error(inUse ? `Port ${port} is in use. Set PORT.` : said)
  process.exit(1)
}
