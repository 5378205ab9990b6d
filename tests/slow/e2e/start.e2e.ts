import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { appOpened } from '../../e2e/helpers/page/app-opened.ts'
import { freePort } from '../../helpers/server/app-server.ts'

/*
 * `npm start` and `npm run demo` in a clone of this checkout. It uses the checkout's packages, because
 * installing them again takes minutes.
 */

const project = join(import.meta.dirname, '../../..')
let clone: string
let running: Start[] = []
/** Each start has its own process group. */
const groups = new Set<number>()

test.describe.configure({ mode: 'serial' })
test.beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'soma-clone-'))
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: project,
    encoding: 'utf8',
  })
  for (const file of files.split('\0').filter((name) => name !== '')) {
    mkdirSync(join(clone, dirname(file)), { recursive: true })
    cpSync(join(project, file), join(clone, file), { force: true })
  }
  symlinkSync(join(project, 'node_modules'), join(clone, 'node_modules'))
  execFileSync('chmod', ['755', clone])
})
test.afterEach(async () => {
  for (const each of running) await each.stop('SIGKILL', 'group')
  running = []
})
test.afterAll(() => rmSync(clone, { recursive: true, force: true }))

test('SIGTERM during the build ends it, and no process is left', async () => {
  const start = await npmStart()
  await start.says('Building')
  await expect.poll(() => left().some((line) => line.includes('vite.js'))).toBe(true)
  await start.stop('SIGTERM')
  expect(left()).toEqual([])
})

test('R211: It builds, serves, prints the first admin’s password until the first login, and stops on SIGTERM with exit code 0', async ({
  page,
}) => {
  const start = await npmStart()
  await start.says(`Soma is at http://localhost:${start.port}`)
  const password = printedPassword(start)
  expect(left().some((line) => line.includes('postgres'))).toBe(true)
  await page.goto(`http://localhost:${start.port}`)
  await appOpened(page)
  await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
  expect(await start.stop('SIGTERM')).toBe(0)
  expect(left()).toEqual([])

  const again = await npmStart()
  await again.says(`Soma is at http://localhost:${again.port}`)
  expect(again.output()).not.toContain('Building')
  expect(printedPassword(again)).toBe(password)
  const login = await fetch(`http://localhost:${again.port}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@soma.local', password }),
  })
  expect(login.status).toBe(200)
  expect(await again.stop('SIGINT')).toBe(0)
  expect(left()).toEqual([])

  const last = await npmStart()
  await last.says(`Soma is at http://localhost:${last.port}`)
  expect(last.output()).not.toContain('password')
  expect(await last.stop('SIGTERM')).toBe(0)
})

const printedPassword = (start: Start) =>
  /admin@soma\.local, password (\w+)/.exec(start.output())?.[1] ?? 'none'

test('npm run demo serves the demo without a server or database, and stops with exit code 0', async ({
  page,
}) => {
  const demo = await npmRun(['run', 'demo'])
  await demo.says(`The demo is at http://localhost:${demo.port}`)
  expect(left().some((line) => line.includes('postgres'))).toBe(false)
  await page.goto(`http://localhost:${demo.port}`)
  await expect(page.getByRole('complementary', { name: 'Demo' })).toBeVisible()
  expect(await demo.stop('SIGTERM')).toBe(0)
  expect(left()).toEqual([])
})

test('A signal to its process group, as Ctrl-C sends it, stops it with exit code 0', async () => {
  const start = await npmStart()
  await start.says('Soma is at')
  expect(await start.stop('SIGINT', 'group')).toBe(0)
  expect(left()).toEqual([])
})

test('Two starts at once in one clone build once and both serve', async () => {
  rmSync(join(clone, 'dist'), { recursive: true, force: true })
  const starts = await Promise.all([npmStart(), npmStart(join(clone, 'data-2'))])
  for (const start of starts) await start.says('Soma is at')
  const builds = starts.filter((start) => start.output().includes('Building'))
  expect(builds).toHaveLength(1)
  for (const start of starts) expect(await start.stop('SIGTERM')).toBe(0)
})

test('After both server and database were killed, the next start serves again', async () => {
  const start = await npmStart()
  await start.says('Soma is at')
  for (const line of left()) process.kill(Number.parseInt(line, 10), 'SIGKILL')
  await start.stop('SIGKILL')
  const again = await npmStart()
  await again.says('Soma is at')
  expect(await again.stop('SIGTERM')).toBe(0)
})

type Start = {
  port: number
  output: () => string
  says: (words: string) => Promise<void>
  stop: (signal: NodeJS.Signals, whom?: 'npm' | 'group') => Promise<number>
}

const npmStart = (dataDir?: string) => npmRun(['start'], dataDir)

async function npmRun(args: string[], dataDir = join(clone, 'data')): Promise<Start> {
  const port = await freePort()
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, PORT: String(port), DATA_DIR: dataDir }
  const child = spawn('npm', args, { cwd: clone, env, detached: true })
  groups.add(child.pid ?? 0)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const start: Start = {
    port,
    output: () => output,
    async says(words) {
      const isOver = () => child.exitCode !== null || child.signalCode !== null
      const until = Date.now() + 180_000
      while (!output.includes(words) && !isOver() && Date.now() < until) await pause(50)
      expect(output).toContain(words)
    },
    stop: (signal, whom = 'npm') => end(child, signal, whom),
  }
  running.push(start)
  return start
}

async function end(child: ChildProcess, signal: NodeJS.Signals, whom: 'npm' | 'group') {
  const ended = new Promise<number>((resolve) =>
    child.once('close', (code) => resolve(code ?? 128)),
  )
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? 128
  if (child.pid) process.kill(whom === 'group' ? -child.pid : child.pid, signal)
  return ended
}

/** `pid group command line` of every process in a group of these starts, or whose command line names their folder. */
function left(): string[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,pgid=,args='], { encoding: 'utf8' }).split('\n')
  return lines
    .map((line) => line.trim())
    .filter((line) => line.includes(clone) || groups.has(Number(line.split(/\s+/)[1])))
}
