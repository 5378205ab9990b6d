import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type DailyBackups,
  keptBackups,
  runDailyBackup,
  startDailyBackups,
} from '#server/backup/daily-backups.ts'
import { readManifest } from '#server/backup/manifest.ts'
import { openBackup } from '#server/backup/restore/restore.ts'
import { writeBackup } from '#server/backup/write/backup.ts'
import type { Log } from '#server/ports/ports.ts'
import { ask } from '../../helpers/database/postgres.ts'
import { present } from '../../helpers/present.ts'
import { backupFixture } from './backup-fixture.ts'

const made = backupFixture()

const day = 24 * 60 * 60_000

async function setting() {
  const { ownerUrl: url } = await made.database()
  const folder = await made.folder()
  const lines: string[] = []
  const write = (_about: object, message: string) => {
    lines.push(message)
  }
  const log: Log = { info: write, warn: write, error: write }
  const settings: DailyBackups = {
    folder,
    log,
    clock: Date.now,
    withSource: (work) => work({ url }),
  }
  const names = async () => (await readdir(folder)).sort()
  return { url, folder, lines, settings, names }
}

/** Makes copies of the manifest of a day's backup, each a day older, as if a backup had been made then. */
async function addEarlierDays(folder: string, days: number) {
  const [name = ''] = await readdir(folder)
  const { writeManifest } = await import('#server/backup/manifest.ts')
  const manifest = await readManifest(join(folder, name))
  const old: string[] = []
  for (let back = 1; back <= days; back++) {
    const at = new Date(Date.parse(manifest.at) - back * day).toISOString()
    const copy = join(folder, `${at.slice(0, 10)}-backup`)
    await mkdir(copy)
    await writeManifest(copy, { ...manifest, at })
    old.push(`${at.slice(0, 10)}-backup`)
  }
  return { today: name, old }
}

test('one backup is made a day, however often it is looked for and by however many servers; what a killed process left unfinished is deleted after a day, and not earlier', async () => {
  const { settings, names, folder, lines } = await setting()
  const [old, young] = ['.a.0123abcd.unfinished', '.b.0123abcd.unfinished']
  for (const name of [old, young]) await mkdir(join(folder, name))
  const longAgo = new Date(Date.now() - 2 * day)
  await utimes(join(folder, old), longAgo, longAgo)
  const newest: number[] = []
  const told = { ...settings, onNewest: (at: number) => void newest.push(at) }
  await runDailyBackup({ ...told, withSource: () => Promise.reject(new Error('No database')) })
  expect([...newest, ...lines.splice(0)]).toEqual([0, expect.stringContaining('failed')])
  await Promise.all([1, 2, 3].map(() => runDailyBackup(settings)))
  await runDailyBackup(told)
  expect(Math.abs(Date.now() - present(newest[1]))).toBeLessThan(day)
  expect(await names()).toEqual([young, expect.stringMatching(/^\d{4}-/)])
  expect(lines).toEqual(['The daily backup is written'])
  await openBackup(join(folder, present((await names())[1])))
}, 60_000)

test('the newest 14 daily backups are kept; what else is in the folder stays; a failure is logged, deletes nothing, and is made good by the next try', async () => {
  const { url, folder, settings, names, lines } = await setting()
  await runDailyBackup(settings)
  const { today, old } = await addEarlierDays(folder, 16)
  const others = ['manual', 'notes', 'damaged']
  await writeBackup({ url }, join(folder, 'manual'))
  await mkdir(join(folder, 'notes'))
  await mkdir(join(folder, 'damaged'))
  await writeFile(join(folder, 'damaged', 'manifest.json'), '{"product": "Soma", "isDaily": true}')
  await writeFile(join(folder, 'a file'), 'text')
  // Nothing is deleted while there is nothing new.
  await runDailyBackup(settings)
  expect(await names()).toEqual([today, ...old, ...others, 'a file'].sort())
  // The backups seem one day older, so that today's is missing.
  const tomorrow = { ...settings, clock: () => Date.now() + day }
  const fails = {
    ...tomorrow,
    withSource: (work: Parameters<DailyBackups['withSource']>[0]) =>
      work({ url: url.replace(/@[^/]+/, '@127.0.0.1:1') }),
  }
  const before = await names()
  for (let tries = 0; tries < 2; tries++) await runDailyBackup(fails)
  expect(await names()).toEqual(before)
  const failed = Array(2).fill('The daily backup failed; the next try is in 20 minutes')
  expect(lines.slice(1)).toEqual(failed)
  await runDailyBackup(tomorrow)
  expect(lines.slice(3)).toEqual(['The daily backup is written'])
  const kept = (await names()).filter((name) => !others.includes(name) && name !== 'a file')
  expect(kept).toHaveLength(keptBackups)
  const newer = kept.filter((name) => !old.includes(name))
  expect(newer).toHaveLength(2)
  expect(kept.filter((name) => old.includes(name))).toEqual(old.slice(0, keptBackups - 2).sort())
  expect((await names()).filter((name) => others.includes(name))).toEqual([...others].sort())
}, 60_000)

test('a server that stops ends the backup that is under way, and nothing of it stays', async () => {
  const { url, folder, settings, names, lines } = await setting()
  await ask(
    url,
    `insert into activities select gen_random_uuid(), 'other', repeat(md5(random()::text), 50), now()
     from generate_series(1, 20000)`,
  )
  const stop = startDailyBackups(settings)
  await expect.poll(names).toHaveLength(1)
  await stop()
  expect(await readdir(folder)).toEqual([])
  expect(lines).toEqual([])
}, 60_000)
