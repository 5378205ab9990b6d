import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
let lock: string
let diary: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'soma-lock-'))
  lock = join(folder, '.lock')
  diary = join(folder, 'diary')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('Concurrent processes hold the lock one after another', async () => {
  await Promise.all([worker(), worker(), worker()])
  expect(entries()).toEqual(['in', 'out', 'in', 'out', 'in', 'out'])
  expect(existsSync(lock)).toBe(false)
})

test('The lock of a process that was killed is taken over', async () => {
  mkdirSync(lock)
  const before = new Date(Date.now() - 60_000)
  utimesSync(lock, before, before)
  await Promise.all([worker(), worker()])
  expect(entries()).toEqual(['in', 'out', 'in', 'out'])
})

const entries = () => readFileSync(diary, 'utf8').trim().split('\n')

/** A process that records when it takes and releases the lock. */
function worker(): Promise<void> {
  const module = join(import.meta.dirname, '../../../src/server/launch/lock.mjs')
  const script = `
    import { appendFileSync } from 'node:fs'
    import { locked } from ${JSON.stringify(module)}
    await locked(${JSON.stringify(lock)}, async () => {
      appendFileSync(${JSON.stringify(diary)}, 'in\\n')
      await new Promise((resolve) => setTimeout(resolve, 100))
      appendFileSync(${JSON.stringify(diary)}, 'out\\n')
    })`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: 'inherit',
  })
  return new Promise((resolve, reject) =>
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`exit ${code}`)))),
  )
}
