import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { backup, restore } from '#server/node/operator/backup-commands.ts'
import type { OperatorCommand } from '#server/node/operator/command.ts'
import { readConfig } from '#server/node/startup/config.ts'
import { StartupError } from '#server/startup-error.ts'
import { freshDatabase } from '../../../helpers/database/postgres.ts'

test('wrong arguments, an unusable folder and a folder without a backup are one line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'soma-backups-'))
  const database = await freshDatabase(inject('postgresUrl'))
  const config = readConfig({
    DATABASE_URL: database.ownerUrl,
    SECRET_KEY: 'cd'.repeat(32),
    DATA_DIR: join(folder, 'data'),
  })
  const terminal = { print: () => undefined, signal: new AbortController().signal }
  const refusal = (command: OperatorCommand, ...args: string[]) =>
    command(args, config, terminal).then(
      () => 'none',
      (error: unknown) => (error instanceof StartupError ? error.message : error),
    )
  const usage = {
    backup: 'Usage: npm run backup [folder]',
    restore: 'Usage: npm run restore -- <folder> [--replace]',
  }
  expect(await refusal(backup, 'a', 'b')).toBe(usage.backup)
  expect(await refusal(backup, '--all')).toBe(usage.backup)
  expect(await refusal(restore)).toBe(usage.restore)
  expect(await refusal(restore, 'a', 'b')).toBe(usage.restore)
  expect(await refusal(restore, 'a', '--force')).toBe(usage.restore)
  expect(await refusal(restore, folder)).toBe(`${folder} holds no backup.`)
  writeFileSync(join(folder, 'file'), '')
  expect(await refusal(backup, folder)).toBe(`${folder} is not empty. Name a new folder.`)
  const below = join(folder, 'file', 'backup')
  expect(await refusal(backup, below)).toBe(`A backup cannot be written to ${below} (ENOTDIR).`)
  await database.drop()
  rmSync(folder, { recursive: true })
})
