import { expect, inject } from 'vitest'
import { openSecrets } from '#server/node/startup/secret-key.ts'
import { freshDatabase } from '../../../helpers/database/postgres.ts'
import { postgresDatabase, secretKey } from '../../../helpers/server/server.ts'

/** A process that starts during another’s upgrade waits for it; `lasts` resolves when the upgrade may end. */
export async function expectStartWaits(lasts: () => Promise<unknown>) {
  const database = postgresDatabase(await freshDatabase(inject('postgresUrl')))
  const repo = database.open()
  let isDone = false
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  let mayEnd = () => {}
  const end = new Promise<void>((resolve) => {
    mayEnd = resolve
  })
  const upgrading = repo.transaction(async ({ attempts, settings }) => {
    await attempts.lock('secret key')
    // Nobody waits for the lock itself: it is held once what follows it was answered.
    await settings.get('secret key check')
    begin()
    await end
    isDone = true
  })
  await begun
  const opened = openSecrets(repo, secretKey).then(() => isDone)
  const waiting = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await repo.pool?.query(waiting))?.rows[0].count).toBe(1)
  await lasts()
  mayEnd()
  expect(await opened).toBe(true)
  await upgrading
  await repo.close()
  await database.drop()
}
