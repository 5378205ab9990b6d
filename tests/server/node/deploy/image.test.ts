import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, inject, test } from 'vitest'
import { freshDatabase } from '../../../helpers/database/postgres.ts'
import { freePort } from '../../../helpers/server/app-server.ts'
import { secretKey } from '../../../helpers/server/server.ts'

/* The Dockerfile and the compose file, without Docker: what they name is there, and the last stage serves. */

const project = join(import.meta.dirname, '../../../..')
const deployed = 'src/server/deploy'
const read = (path: string) => readFileSync(join(project, path), 'utf8')

/** The instructions of each stage. A line that ends with a backslash goes on. */
const stages = read(`${deployed}/Dockerfile`)
  .replace(/\\\n\s*/g, ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .join('\n')
  .split(/^FROM /m)
  .slice(1)
  .map((stage) =>
    stage
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ (.*)/s) as [string, string]),
  )

const inStage = (stage: number, name: string) =>
  (stages[stage] ?? []).flatMap(([instruction, rest]) => (instruction === name ? [rest] : []))

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

test('everything that the image copies is in the project, and is not left out of its context', () => {
  const sources = inStage(0, 'COPY').flatMap((rest) => rest.split(' ').slice(0, -1))
  expect(sources.length).toBeGreaterThan(5)
  expect(sources.filter((path) => !existsSync(join(project, path)))).toEqual([])
  const kept = read(`${deployed}/Dockerfile.dockerignore`)
    .split('\n')
    .filter((line) => line.startsWith('!'))
  expect(kept.map((line) => line.slice(1)).sort()).toEqual(sources.sort())
})

test('the image runs as a user without rights, and its health check and its start are commands without a shell', () => {
  expect(inStage(1, 'USER')).toEqual(['node'])
  const last = stages[1] ?? []
  // Nothing is copied or run as that user, so that it owns none of the program.
  const afterUser = last
    .slice(last.findIndex(([name]) => name === 'USER') + 1)
    .map(([name]) => name)
  expect(afterUser.filter((name) => ['COPY', 'RUN', 'ADD'].includes(name))).toEqual([])
  expect(JSON.parse(inStage(1, 'CMD')[0] ?? '')).toEqual(['node', 'dist/server/main.js'])
})

/** Runs a command of the image: where it runs, as whom, and with the variables that it sets. */
function imageRun(folder: string, data: string, more: Record<string, string>) {
  const [variables = ''] = inStage(1, 'ENV')
  const own = Object.fromEntries(variables.split(' ').map((pair) => pair.split('=')))
  const env = { PATH: process.env.PATH, ...own, DATA_DIR: data, ...more }
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  return { cwd: folder, env, ...user }
}

test('what the last stage copies starts, is healthy, and stops on SIGTERM', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'soma-image-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  for (const rest of inStage(1, 'COPY')) {
    const [, from = '', to = ''] = rest.split(' ')
    const source = join(project, from.replace('/soma/', ''))
    const target = join(folder, to === './' ? 'package.json' : to)
    mkdirSync(dirname(target), { recursive: true })
    // All packages, because to install those of the image again takes a minute.
    if (to === 'node_modules') symlinkSync(source, target)
    else cpSync(source, target, { recursive: true })
  }
  const data = join(folder, 'data')
  mkdirSync(data)
  if (process.getuid?.() === 0) chownSync(data, 65_534, 65_534)
  const database = await freshDatabase(inject('postgresUrl'))
  ends.push(database.drop)
  const port = `${await freePort()}`
  const how = imageRun(folder, data, {
    PORT: port,
    DATABASE_URL: database.ownerUrl,
    SECRET_KEY: secretKey,
  })
  const [program = '', ...args] = JSON.parse(inStage(1, 'CMD')[0] ?? '[]')
  const server = spawn(program, args, { ...how, stdio: 'ignore' })
  ends.push(() => server.kill('SIGKILL'))
  const [, check = '[]'] = inStage(1, 'HEALTHCHECK')[0]?.split('CMD ') ?? []
  const [checker = '', ...checkArgs] = JSON.parse(check)
  const health = () => spawnSync(checker, checkArgs, how).status
  expect(health()).toBe(1)
  await expect.poll(health, { timeout: 40_000, interval: 500 }).toBe(0)
  const page = await fetch(`http://127.0.0.1:${port}/`)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(statSync(join(data, 'images')).mode & 0o777).toBe(0o700)
  server.kill(inStage(1, 'STOPSIGNAL')[0] as NodeJS.Signals)
  expect(await once(server, 'exit')).toEqual([0, null])
  expect(health()).toBe(1)
}, 90_000)

test('the compose file names files that are there, settings that the server has, and secrets that must be given', () => {
  const compose = read(`${deployed}/compose.yaml`)
  const dockerfile = /dockerfile: (\S+)/.exec(compose)?.[1] ?? ''
  const context = /context: (\S+)/.exec(compose)?.[1] ?? ''
  expect(existsSync(join(project, deployed, context, dockerfile))).toBe(true)
  for (const [, path = ''] of compose.matchAll(/- \.\/(\S+?):/g))
    expect(existsSync(join(project, deployed, path)), path).toBe(true)
  const server = /\n {2}server:\n([\s\S]*?)\n {2}\w/.exec(compose)?.[1] ?? ''
  const settings = [...server.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name]) => name)
  const config = read('src/server/node/startup/config.ts')
  expect(settings).toContain('DATABASE_URL')
  expect(settings.filter((name) => !new RegExp(`^ {2}${name}: `, 'm').test(config))).toEqual([])
  for (const secret of ['POSTGRES_PASSWORD', 'SECRET_KEY', 'ADMIN_EMAIL', 'SITE'])
    expect(compose).toContain(`\${${secret}:?is missing in .env}`)
})
