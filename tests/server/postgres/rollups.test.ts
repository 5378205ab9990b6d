import fc from 'fast-check'
import { v7 } from 'uuid'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Status } from '#domain/deliveries/delivery.ts'
import { contactOf, type User } from '#domain/users/user.ts'
import { verifyRollups } from '#server/node/upkeep/keep-rollups.ts'
import { openPostgres, type PostgresRepo } from '#server/postgres/open-postgres.ts'
import { hold, settlement } from '#server/rules/deliveries/ledger.ts'
import { ask, type FreshDatabase, freshDatabase } from '../../helpers/database/postgres.ts'
import { present } from '../../helpers/present.ts'

let database: FreshDatabase
let repo: PostgresRepo
let driver: User

beforeAll(async () => {
  database = await freshDatabase(inject('postgresUrl'))
  repo = openPostgres(database.url)
  driver = await addUser('driver')
})
afterAll(async () => {
  await repo.close()
  await database.drop()
})

const addUser = async (role: User['role']): Promise<User> => {
  const ID = v7()
  const account = {
    ...{ ID, name: 'Yaw', email: `${ID}@example.com`, phone_number: ID.slice(-10), role },
    ...{ Verified: true, passwordHash: 'x', createdAt: new Date().toISOString() },
  }
  await repo.transaction(({ users }) => users.add(account))
  return account
}

const countWrong = () =>
  repo.transaction(async ({ rollups }) => await present(rollups).countWrong())

/** What happened to one delivery: its statuses in turn, and minutes from one to the next. */
const lives: Status[][] = [
  ['Pending'],
  ['Pending', 'Cancelled'],
  ['Pending', 'Accepted', 'Pending', 'Accepted', 'Picked Up', 'Delivered', 'Approved'],
  ['Pending', 'Accepted', 'Picked Up', 'Delivered', 'Cancelled'],
  ['Pending', 'Accepted', 'Picked Up', 'Cancelled'],
  ['Pending', 'Accepted', 'Picked Up', 'Delivered'],
]

async function live(statuses: Status[], { begin, step }: { begin: number; step: number }) {
  const at = (turn: number) => new Date(begin + turn * step * 60_000).toISOString()
  const ID = v7()
  const first = {
    ...{
      ID,
      status: 'Pending' as const,
      itemDescription: 'Box',
      pickupZone: 'Osu',
      dropoffZone: 'Tema',
    },
    ...{ offer: 12.5, recipientName: 'Ama', recipientPhone: '0240000000', deliveryCode: '12345' },
    ...{ isGuestDelivery: true, senderName: 'Kofi', senderPhone: '0241111111' },
    ...{ createdAt: at(0), updatedAt: at(0), history: [{ status: 'Pending' as const, at: at(0) }] },
  }
  await repo.transaction(async ({ deliveries, ledger }) =>
    ledger.post(hold(await deliveries.add(first), v7())),
  )
  for (const [turn, status] of statuses.entries()) {
    if (turn === 0) continue
    await repo.transaction(async ({ deliveries, ledger }) => {
      const before = present(await deliveries.lock(ID))
      const after = await deliveries.save(before, {
        ...before,
        status,
        driver: status === 'Pending' ? undefined : contactOf(driver),
        updatedAt: at(turn),
        history: [...(before.history ?? []), { status, at: at(turn) }],
      })
      if (status === 'Approved' || status === 'Cancelled')
        for (const transfer of settlement(after, v7)) await ledger.post(transfer)
    })
  }
}

test('whatever happens to deliveries, the rollups say what counting every row says', async () => {
  const life = fc.record({
    statuses: fc.constantFrom(...lives),
    begin: fc.integer({ min: Date.parse('2026-10-30'), max: Date.parse('2026-11-02') }),
    step: fc.integer({ min: 0, max: 900 }),
    upkeep: fc.constantFrom('nothing', 'fold', 'rebuild'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(life, { maxLength: 6 }), async (all) => {
      for (const { statuses, upkeep, ...time } of all) {
        // One after the other: a driver has one job at a time (R29).
        await live(statuses, time)
        await repo.transaction(async ({ deliveries, ledger }) => {
          for (const each of await deliveries.lockUnfinishedOf(driver.ID)) {
            const ended = await deliveries.save(each, { ...each, status: 'Cancelled' })
            for (const transfer of settlement(ended, v7)) await ledger.post(transfer)
          }
        })
        if (upkeep === 'fold') await repo.transaction(async ({ rollups }) => rollups?.fold())
        if (upkeep === 'rebuild') await repo.transaction(async ({ rollups }) => rollups?.rebuild())
        expect(await countWrong()).toBe(0)
      }
    }),
    { numRuns: 12 },
  )
})

test('changes and additions at once lose nothing', async () => {
  const before = await repo.read((stores) => stores.stats())
  await Promise.all([
    ...Array.from({ length: 20 }, () =>
      live(['Pending', 'Cancelled'], { begin: Date.now(), step: 1 }),
    ),
    ...Array.from({ length: 5 }, () => repo.transaction(async ({ rollups }) => rollups?.fold())),
    ...Array.from({ length: 3 }, () => repo.transaction(async ({ rollups }) => rollups?.rebuild())),
    ...Array.from({ length: 5 }, () => addUser('sender')),
  ])
  expect(await countWrong()).toBe(0)
  const after = await repo.read((stores) => stores.stats())
  expect(after.totalDeliveries).toBe(before.totalDeliveries + 20)
  expect(after.totalUsers).toBe(before.totalUsers + 5)
})

test('a wrong rollup is found, reported and counted anew', async () => {
  await repo.transaction(async ({ rollups }) => rollups?.fold())
  await ask(database.ownerUrl, "update rollups set count = count + 1 where kind = 'users'")
  const errors: object[] = []
  const log = { error: (about: object) => errors.push(about) }
  expect(await verifyRollups({ repo, log: log as never })).toBeGreaterThan(0)
  expect(errors).toHaveLength(1)
  expect(await verifyRollups({ repo, log: log as never })).toBe(0)
})
