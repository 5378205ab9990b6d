import { v7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { contactOf } from '#domain/users/user.ts'
import type { StoredDevice } from '#server/ports/stores/record-stores.ts'
import { hold, settlement } from '#server/rules/deliveries/ledger.ts'
import type { RepoFixture } from './repo-fixture.ts'

/** The contract of the `Repo` port about disputes, the ledger and statistics. */
export function recordContract({ repo, by, refused, at, user, add, save }: RepoFixture) {
  test('disputes and activities come newest first', async () => {
    const made = await add()
    const [first, second] = [v7(), v7()]
    const about = { DeliveryID: made.ID, type: 'sender_issue' as const, priority: 'medium' }
    await repo.transaction(async ({ disputes, activities }) => {
      for (const ID of [first, second]) {
        await disputes.add({ ID, ...about, issue: `Issue ${ID}`, CreatedAt: at() })
        await activities.add({ ID, Type: 'other', Message: 'M', CreatedAt: at() })
      }
    })
    const { rows, total } = await repo.read(({ disputes }) => disputes.list({ limit: 10 }))
    expect([rows.map(({ ID }) => ID), total]).toEqual([[second, first], 2])
    expect(rows[0]).toMatchObject({ ...about, issue: `Issue ${second}` })
    const recent = await repo.read(({ activities }) => activities.list(2))
    expect(recent.map(({ ID }) => ID)).toEqual([second, first])
    const again = { ID: first, ...about, issue: 'again', CreatedAt: at() }
    await expect(repo.transaction(({ disputes }) => disputes.add(again))).rejects.toEqual(
      refused('key-reused'),
    )
  })

  describe('the ledger', () => {
    test('moves money between accounts and back', async () => {
      const [ama, yaw] = [await user(), await user({ role: 'driver' })]
      const made = await add({ ...by(ama), offer: 12.34 })
      const job = await save({ ...made, status: 'Delivered', driver: contactOf(yaw) })
      await repo.transaction(async ({ ledger }) => {
        await ledger.post(hold(job, v7()))
        const paid = { ...job, status: 'Approved' as const, updatedAt: at() }
        for (const transfer of settlement(paid, v7)) await ledger.post(transfer)
      })
      const balance = (name: string) => repo.read(({ ledger }) => ledger.balance(name))
      expect(await balance(`sender:${ama.ID}`)).toBe(-1234)
      expect(await balance(`promised:${made.ID}`)).toBe(0)
      expect(await balance(`owed:${made.ID}`)).toBe(1234)
      const kinds = (await repo.read(({ ledger }) => ledger.of(made.ID))).map(({ kind }) => kind)
      expect(kinds).toEqual(['hold', 'release'])
    })

    test('R40, R41: releases or refunds held money once', async () => {
      const yaw = await user({ role: 'driver' })
      const job = await save({ ...(await add()), status: 'Delivered', driver: contactOf(yaw) })
      const post = (transfer: ReturnType<typeof hold>) =>
        repo.transaction(({ ledger }) => ledger.post(transfer))
      await post(hold(job, v7()))
      await expect(post(hold(job, v7()))).rejects.toEqual(refused('wrong-status'))
      const end = async (status: 'Approved' | 'Cancelled', driverShare?: number) => {
        for (const each of settlement({ ...job, status, driverShare }, v7)) await post(each)
      }
      await end('Approved')
      for (const again of ['Approved', 'Cancelled'] as const)
        await expect(end(again)).rejects.toEqual(refused('wrong-status'))
      await expect(end('Cancelled', 20)).rejects.toEqual(refused('wrong-status'))
    })

    test('R40: refuses a transfer that does not balance', async () => {
      const made = await add()
      const bad = hold(made, v7())
      const entries = bad.entries.map((entry, n) =>
        n ? { ...entry, pesewas: entry.pesewas - 1 } : entry,
      )
      await expect(
        repo.transaction(({ ledger }) => ledger.post({ ...bad, entries })),
      ).rejects.toThrow()
      await expect(
        repo.transaction(({ ledger }) => ledger.post({ ...bad, entries: bad.entries.slice(1) })),
      ).rejects.toThrow()
      expect(await repo.read(({ ledger }) => ledger.of(made.ID))).toEqual([])
    })
  })

  test('R92: what a phone reports replaces what it reported before; what it leaves out stays', async () => {
    const ama = await user()
    const code = 'K7QX2MPD'
    const [one, two, three] = [at(), at(), at()]
    const touch = (device: StoredDevice) => repo.transaction(({ devices }) => devices.touch(device))
    const stored = () => repo.read(({ devices }) => devices.get(code))
    expect(await touch({ code, at: one, queueLength: 1 })).toBe(false)
    expect(await stored()).toBeUndefined()
    const first = { code, at: one, queueLength: 1, clientVersion: 14, userId: ama.ID }
    await repo.transaction(({ devices }) => devices.add(first))
    await repo.transaction(({ devices }) => devices.add({ ...first, queueLength: 9 }))
    expect(await stored()).toEqual(first)
    expect(await touch({ code, at: two, queueLength: 0 })).toBe(true)
    expect(await touch({ code, at: two, queueLength: 0 })).toBe(true)
    expect(await stored()).toEqual({ ...first, at: two, queueLength: 0 })
    await repo.transaction(({ devices }) => devices.sweep(two))
    expect(await stored()).toBeDefined()
    await repo.transaction(({ devices }) => devices.sweep(three))
    expect(await stored()).toBeUndefined()
  })

  test('statistics count the present rows', async () => {
    const stats = () => repo.read((stores) => stores.stats())
    const before = await stats()
    const yaw = await user({ role: 'driver' })
    await add()
    await save({ ...(await add({ offer: 0.7 })), status: 'Approved', driver: contactOf(yaw) })
    expect(await stats()).toEqual({
      totalUsers: before.totalUsers + 1,
      totalDeliveries: before.totalDeliveries + 2,
      totalRevenue: expect.closeTo(before.totalRevenue + 0.7, 6),
      pendingDeliveries: before.pendingDeliveries + 1,
      pendingDrivers: before.pendingDrivers,
      openDisputes: before.openDisputes,
      // Where they are picked up, as long as they are pending.
      waiting: { ...before.waiting, Osu: (before.waiting?.Osu ?? 0) + 1 },
    })
  })
}
