import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, inject } from 'vitest'
import { openBackup, restoreBackup } from '#server/backup/restore/restore.ts'
import { type Backup, type BackupSource, writeBackup } from '#server/backup/write/backup.ts'
import { openPostgres } from '#server/postgres/open-postgres.ts'
import { ask, freshDatabase } from '../../helpers/database/postgres.ts'
import { present } from '../../helpers/present.ts'
import type { TestServer } from '../../helpers/server/server.ts'

/** What the tests of backups make: it is removed after each test. Call it at the top level of the file. */
export function backupFixture() {
  const made: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const remove of made.splice(0).reverse()) await remove()
  })

  async function folder(parent = tmpdir()): Promise<string> {
    const path = await mkdtemp(join(parent, 'soma-backup-'))
    made.push(() => rm(path, { recursive: true, force: true }))
    return path
  }

  return {
    folder,
    /** A database with this version's tables. */
    async database() {
      const database = await freshDatabase(inject('postgresUrl'))
      made.push(database.drop)
      return database
    },
    /** An empty database whose owner is no superuser; returns the owner's address. */
    async emptyDatabase(cluster = inject('postgresUrl')): Promise<string> {
      const name = `soma_restored_${randomBytes(6).toString('hex')}`
      await ask(cluster, `create role ${name} login password '${name}'`)
      await ask(cluster, `create database ${name} owner ${name}`)
      made.push(async () => {
        await ask(cluster, `drop database ${name} with (force)`)
        await ask(cluster, `drop role ${name}`)
      })
      const url = new URL(cluster)
      url.username = name
      url.password = name
      url.pathname = `/${name}`
      return url.href
    },
    /** Writes a backup into a new folder. */
    async backup(source: BackupSource): Promise<Backup> {
      return present(await writeBackup(source, join(await folder(), 'backup')))
    },
    /** Runs at the end of the test. */
    atEnd: (work: () => Promise<unknown>) => made.push(work),
  }
}

/** Verifies a backup and restores it. */
export async function restored(
  backup: Pick<Backup, 'folder'>,
  target: Parameters<typeof restoreBackup>[1],
  options?: Parameters<typeof restoreBackup>[2],
): Promise<void> {
  await restoreBackup(await openBackup(backup.folder), target, options)
}

/** One delivery of every end, a dispute, a session, an answered request and an odd text. */
export async function addHistory(server: TestServer) {
  const [ama, yaw] = [await server.sender(), await server.driver()]
  const odd = 'Tab\there, back\\slash, "quotes", Ɛsi ☂ and \\N'
  const approved = await server.delivery(ama, { itemDescription: odd })
  await server.drive(approved, yaw, 'Delivered')
  const end = (id: string, status: 'Approved' | 'Cancelled') =>
    server.ask('changeStatus', { token: ama.token, id, body: { status } })
  await end(approved.ID, 'Approved')
  await end((await server.delivery(ama)).ID, 'Cancelled')
  const { delivery } = await server.guestDelivery()
  await server.drive(delivery, yaw, 'Picked Up')
  return { ama, yaw }
}

/** Whether a list that is continued from this cursor is answered in full. */
export async function isAnsweredInFull(url: string, cursor: string | undefined) {
  const repo = openPostgres(url)
  const list = (since?: string) =>
    repo.read(({ deliveries }) => deliveries.list({ of: 'everyone' }, { limit: 10 }, since))
  const answer = await list(cursor)
  // A cursor of the restored database is continued.
  expect((await list(answer.cursor)).removed).toEqual([])
  await repo.close()
  return answer.removed === undefined
}

export async function cursorOf(server: TestServer) {
  const list = await server.repo.read(({ deliveries }) =>
    deliveries.list({ of: 'everyone' }, { limit: 10 }),
  )
  return list.cursor
}
