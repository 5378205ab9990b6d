/* `npm run pictures`: builds what is stale, then takes the README's pictures from the real app. */
import { constants } from 'node:os'
import { join } from 'node:path'
import { endOnSignal, run } from '../../src/server/launch/children.mjs'
import { ready, root } from '../../src/server/launch/ready.mjs'
import { needChromium } from '../helpers/chromium.mjs'

endOnSignal((name) => 128 + constants.signals[name])
await ready()
process.env.CHROMIUM = await needChromium()
const { code } = await run(
  process.execPath,
  [
    join(root, 'node_modules/@playwright/test/cli.js'),
    ...['test', '--config', 'tests/pictures/playwright.config.ts', '--reporter=line'],
    ...process.argv.slice(2),
  ],
  { cwd: root, env: process.env, show: true },
)
process.exitCode = code
