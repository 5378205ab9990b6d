import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { v7 } from 'uuid'
import { afterEach, expect, inject, test } from 'vitest'
import { ask as askDatabase, freshDatabase } from '../../../../helpers/database/postgres.ts'
import { present } from '../../../../helpers/present.ts'
import { admin } from '../../../../helpers/server/app-server.ts'
import { readEvents } from '../../../../helpers/server/event-reader.ts'
import { ended, main, runCommand } from '../../../../helpers/server/operator-command.ts'
import { processes } from '../../../../helpers/server/processes.ts'

/* `npm run backup` and `npm run restore` without the build. */

const { started } = processes()

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'soma-backups-'))
  folders.push(folder)
  return folder
}

const refused = (line: string | RegExp) => ({
  status: 1,
  stdout: '',
  stderr: typeof line === 'string' ? `${line}\n` : expect.stringMatching(line),
})

test('R70, R93, R94: a backup made beside a running server is restored elsewhere: sessions, photos and answers are there, and phones continue nothing old', async () => {
  const backups = newFolder()
  const { server, ask } = await started({ BACKUP_DIR: backups })
  const daily = () => readdirSync(backups).filter((name) => !name.startsWith('.'))
  await expect.poll(daily).toHaveLength(1)

  const token = present((await ask('login', { body: admin })).value).token
  const form = new FormData()
  const bytes = await sharp({
    create: { width: 8, height: 8, channels: 3, background: 'red' },
  })
    .jpeg()
    .toBuffer()
  form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'a.jpg')
  form.set('upload_preset', 'soma')
  const upload = await fetch(`${server.origin}/api/images/upload`, { method: 'POST', body: form })
  const photoUrl: string = (await upload.json()).secure_url
  const photo = await (await fetch(photoUrl)).arrayBuffer()
  const key = v7()
  const guest = {
    itemDescription: 'Documents',
    pickupZone: 'Osu',
    dropoffZone: 'Tema',
    offer: 60,
    recipientName: 'Esi',
    recipientPhone: '0550000001',
    senderName: 'Kofi',
    senderPhone: '0240000001',
    itemPhoto: photoUrl,
  }
  const created = present((await ask('createGuestDelivery', { key, body: guest })).value)
  const authorization = `Bearer ${token}`
  const list = async (since = '') => {
    const path = `${server.origin}/api/admin/deliveries?${since && `since=${since}`}`
    return (await fetch(path, { headers: { authorization } })).json()
  }
  const openStream = async (after = '') =>
    readEvents(
      await fetch(`${server.origin}/api/events`, {
        headers: { authorization, ...(after ? { 'last-event-id': after } : {}) },
      }),
    )
  const stream = await openStream()
  await expect.poll(stream.hello).toBeDefined()
  const position = present(stream.messages.findLast(({ id }) => id !== undefined)?.id)
  stream.stop()

  const env = { DATA_DIR: server.dataDir }
  const folder = join(newFolder(), 'one')
  expect(await runCommand(env, 'backup', folder)).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringContaining('1 photos'),
  })
  expect(await runCommand(env, 'restore', folder, '--replace')).toEqual(
    refused(`Another server is running on ${server.dataDir}. Stop it, or set another DATA_DIR.`),
  )
  const lost = { ...guest, senderPhone: '0240000002' }
  await ask('createGuestDelivery', { key: v7(), body: lost })
  const { cursor } = await list()

  await server.kill()
  expect(await runCommand(env, 'restore', folder)).toEqual(
    refused(/^The database holds data already/),
  )
  rmSync(join(server.dataDir, 'images'), { recursive: true })
  const inPlace = await runCommand(env, 'restore', folder, '--replace')
  expect(inPlace).toMatchObject({ status: 0, stderr: '' })
  expect(inPlace.stdout).not.toContain('secret key')
  await server.restart()
  const found = await list(cursor)
  expect(found.removed).toBeUndefined()
  expect(found.deliveries.map(({ ID }: { ID: string }) => ID)).toEqual([created.delivery.ID])
  const samePhoto = Buffer.from(await (await fetch(photoUrl)).arrayBuffer())
  expect(samePhoto.equals(Buffer.from(photo))).toBe(true)
  const again = await fetch(`${server.origin}/api/guest/deliveries`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(guest),
  })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect((await again.json()).delivery.ID).toBe(created.delivery.ID)
  const continued = await openStream(position)
  await expect.poll(continued.wasReset).toBe(true)
  continued.stop()

  // On another machine there is no database yet, and no key.
  const elsewhere = newFolder()
  chmodSync(elsewhere, 0o755)
  const moved = await runCommand({ DATA_DIR: elsewhere }, 'restore', folder)
  expect(moved).toMatchObject({ status: 0, stderr: '' })
  expect(moved.stdout).toContain(`secret key of that time: ${join(elsewhere, 'secret.key')}.`)
  expect((await runCommand({ DATA_DIR: elsewhere }, 'admin', 'verify-ledger')).stdout).toContain(
    '1 deliveries',
  )
})

test('a disk that is full, or an operator who ends it, leaves nothing of a backup', async () => {
  const database = await freshDatabase(inject('postgresUrl'))
  await askDatabase(
    database.ownerUrl,
    `insert into activities select gen_random_uuid(), 'other', md5(i::text) || repeat(md5(random()::text), 40), now()
     from generate_series(1, 60000) i`,
  )
  const env = { DATABASE_URL: database.ownerUrl, SECRET_KEY: 'cd'.repeat(32) }
  const parent = newFolder()
  const folder = join(parent, 'backup')
  // The largest file that this process may write, in blocks of 512 bytes, stands in for a full disk.
  const command = ['-c', 'ulimit -f 100; exec "$0" "$@"', process.execPath, main, 'backup', folder]
  const options = { env: { PATH: process.env.PATH, ...env } }
  expect(await ended(spawn('sh', command, options))).toEqual(
    refused(`The disk of ${folder} is full; nothing of this backup was kept.`),
  )
  expect(readdirSync(parent)).toEqual([])

  const child = spawn(process.execPath, [main, 'backup', folder], options)
  const result = ended(child)
  await expect.poll(() => readdirSync(parent)).toHaveLength(1)
  child.kill('SIGTERM')
  expect(await result).toEqual(refused('The backup was ended; nothing of it was kept.'))
  expect(readdirSync(parent)).toEqual([])
  await database.drop()
})
