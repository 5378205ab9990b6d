import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { freshDatabase } from '../../../helpers/database/postgres.ts'
import { photoForm, picture } from '../../../helpers/pictures.ts'
import { type AppServer, admin, freePort } from '../../../helpers/server/app-server.ts'
import { startObjectStorage } from '../../../helpers/server/object-storage.ts'
import { processes } from '../../../helpers/server/processes.ts'
import { present, secretKey } from '../../../helpers/server/server.ts'

/* Built servers that share a database and an object storage, and nothing else. */

const { started } = processes()
const storage = await startObjectStorage()
afterAll(() => storage.close())

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase(inject('postgresUrl'))
})
afterAll(() => database.drop())

const inBucket = (over: Record<string, string> = {}) => ({
  PHOTOS: 's3',
  S3_ENDPOINT: storage.settings.endpoint,
  S3_BUCKET: storage.settings.bucket,
  S3_ACCESS_KEY: storage.settings.accessKey,
  S3_SECRET_KEY: storage.settings.secretKey,
  S3_REGION: storage.settings.region,
  ...over,
})
const shared = () => ({
  DATABASE_URL: database.ownerUrl,
  SECRET_KEY: secretKey,
  PUBLIC_ORIGIN: 'http://localhost:8080',
})

async function upload(to: AppServer, preset: string, seed: number): Promise<string> {
  const body = photoForm(await picture('jpeg', { width: 500, height: 400, seed }), preset)
  const answer = await fetch(`${to.origin}/api/images/upload`, { method: 'POST', body })
  expect(answer.status).toBe(200)
  return new URL((await answer.json()).secure_url).pathname
}

async function read(from: AppServer, path: string, token?: string) {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  const answer = await fetch(from.origin + path, { headers })
  return [answer.status, Buffer.from(await answer.arrayBuffer()).toString('base64')] as const
}

/** Runs the built server, or a command of the operator's, until it ends. The storage answers meanwhile. */
async function run(env: Record<string, string>, ...args: string[]) {
  const main = join(import.meta.dirname, '../../../../dist/server/main.js')
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => {
      said += piece
    })
  const status = await new Promise((done) => child.once('close', done))
  return { status, said: said.trim() }
}

test('two servers with one bucket serve each other’s photos and thumbnails', async () => {
  const [{ server: one, ask }, { server: other }] = [
    await started({ ...shared(), ...inBucket() }),
    await started({ ...shared(), ...inBucket() }),
  ]
  const token = present((await ask('login', { body: admin })).value).token
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    const path = await upload(from, 'soma', to.port)
    for (const each of [path, path.replace('/images/', '/images/thumbnails/')]) {
      const seen = await read(to, each)
      expect(seen[0]).toBe(200)
      expect(seen).toEqual(await read(from, each))
    }
    const secret = await upload(from, 'soma-id', to.port)
    expect((await read(to, secret))[0]).toBe(404)
    const shown = await read(to, secret, token)
    expect(shown[0]).toBe(200)
    expect(shown).toEqual(await read(from, secret, token))
  }
  const lines = [...one.lines, ...other.lines].join('\n')
  expect(lines).not.toContain(storage.settings.secretKey)
})

test('a bucket that cannot be used is one line and exit code 1', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'soma-bucket-'))
  const { endpoint } = storage.settings
  const start = async (over: Record<string, string>) =>
    run({ ...shared(), ...inBucket(over), DATA_DIR: dataDir, PORT: `${await freePort()}` })
  const nowhere = `http://127.0.0.1:${await freePort()}`
  for (const [over, said] of [
    [{ S3_BUCKET: 'others' }, `The bucket “others” at ${endpoint} does not exist.`],
    [
      { S3_ENDPOINT: nowhere },
      `The object storage at ${nowhere} cannot be reached (ECONNREFUSED).`,
    ],
  ] as [Record<string, string>, string][])
    expect(await start(over)).toEqual({ status: 1, said })
  rmSync(dataDir, { recursive: true })
})

test('move-photos copies the photos of a running server to the bucket, and another server serves them', async () => {
  storage.objects.clear()
  const { server: onDisk, ask } = await started(shared())
  const token = present((await ask('login', { body: admin })).value).token
  const [open, secret] = [await upload(onDisk, 'soma', 1), await upload(onDisk, 'soma-id', 3)]
  const paths = [open, open.replace('/images/', '/images/thumbnails/'), secret]
  const before = await Promise.all(paths.map((path) => read(onDisk, path, token)))

  expect(await run({ ...inBucket(), DATA_DIR: onDisk.dataDir }, 'admin', 'move-photos')).toEqual({
    status: 0,
    said: '3 files were copied to the bucket and checked, 0 were there already. The files on the disk stay: delete them once all is well.',
  })
  const { server } = await started({ ...shared(), ...inBucket() })
  const after = await Promise.all(paths.map((path) => read(server, path, token)))
  expect(after).toEqual(before)
  expect(new Set(after.map(([status]) => status))).toEqual(new Set([200]))
  expect((await read(server, secret))[0]).toBe(404)
})
