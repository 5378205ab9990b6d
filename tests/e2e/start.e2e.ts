import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { freshDatabase } from '../helpers/database/postgres.ts'
import { freePort } from '../helpers/server/app-server.ts'
import { postgresVariable } from './helpers/server/postgres.ts'

/* `npm start` in this checkout, which is installed and built. In a fresh clone: tests/slow/e2e/start.e2e.ts. */

const dataDir = mkdtempSync(join(tmpdir(), 'soma-start-'))
let child: ChildProcess | undefined
let drop = async () => {}
test.afterEach(async () => {
  child?.kill('SIGKILL')
  await drop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('npm start builds nothing that is built, serves, and stops on SIGTERM with exit code 0', async () => {
  const database = await freshDatabase(process.env[postgresVariable] ?? '')
  drop = database.drop
  const port = await freePort()
  const { PATH, HOME } = process.env
  child = spawn('npm', ['start'], {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      PATH,
      HOME,
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: database.ownerUrl,
      SECRET_KEY: '5e'.repeat(32),
    },
  })
  const ended = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  await expect.poll(() => output, { timeout: 60_000 }).toContain(`http://localhost:${port}`)
  expect(output).not.toContain('Building')
  expect((await fetch(`http://localhost:${port}/`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
