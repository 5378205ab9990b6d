import { expect, test } from 'vitest'
import { restorableCluster } from '../../../helpers/database/restorable-cluster.ts'
import { add, lostRows, randomRestores, reader, run } from '../../../server/repo/restores.ts'

randomRestores({ indexedDb: 40, postgres: 4 })

test('R93: after a restore of PostgreSQL’s files, which gives transaction numbers again, a cursor from after the backup gets a full answer', async () => {
  const database = await restorableCluster()
  try {
    const { repo } = database
    const [asleep, early, late] = [0, 1, 2].map(() => reader({ of: 'everyone' }))
    const kept = await add(repo)
    await asleep?.(repo)
    await early?.(repo)
    const restore = await database.backup()
    // Each start of PostgreSQL is another incarnation, whose cursors are its own.
    expect(await early?.(repo)).toEqual({ isFull: true })
    await late?.(repo)
    for (let n = 0; n < 10; n++) await add(repo)
    await late?.(repo)
    await restore()
    // More changes than were lost: without incarnations the cursor would be one of this past.
    for (let n = 0; n < 15; n++) await add(repo)
    expect(await late?.(repo)).toEqual({ isFull: true })
    expect(await early?.(repo)).toEqual({ isFull: true })
    expect(await asleep?.(repo)).toEqual({ isFull: true })
    expect(await late?.(repo)).toEqual({ isFull: false })
    await repo.transaction(({ deliveries }) =>
      deliveries.save(kept, { ...kept, status: 'Cancelled' }),
    )
    await late?.(repo)
    await run(database, lostRows)
  } finally {
    await database.close()
  }
})
