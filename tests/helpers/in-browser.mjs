/*
 * `npm run bench` and `npm run pictures`: installs and builds what is missing, then runs the
 * Playwright files of its first argument, `tests/bench` or `tests/pictures`, in Chromium.
 * `npm run bench -- peers`, `-- phone` and `-- server` run those of the folder of that name in `tests/bench`
 * instead; the first two need other packages, installed there.
 */
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { endOnSignal, run } from '../../src/server/launch/children.mjs'
import { install } from '../../src/server/launch/install.mjs'
import { ready, root } from '../../src/server/launch/ready.mjs'
import { needChromium } from './chromium.mjs'

const [first = '', ...rest] = process.argv.slice(2)
endOnSignal((name) => 128 + constants.signals[name])
await ready()
const isApart = ['peers', 'phone', 'server'].includes(rest[0] ?? '')
const folder = isApart ? `${first}/${rest.shift()}` : first
const packages = join(root, folder, 'theirs')
if (existsSync(packages)) await install(packages)
process.env.CHROMIUM = await needChromium()
const { code } = await run(
  process.execPath,
  [
    join(root, 'node_modules/@playwright/test/cli.js'),
    ...['test', '--config', `${folder}/playwright.config.ts`, '--reporter=line'],
    ...rest,
  ],
  { cwd: root, env: process.env, show: true },
)
process.exitCode = code
