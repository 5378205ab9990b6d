import { v7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import type { Account } from '#server/ports/stores/account-stores.ts'
import { present } from '../../../helpers/present.ts'
import type { RepoFixture } from './repo-fixture.ts'

/** The contract of the `Repo` port about accounts. */
export function accountContract({ repo, refused, at, account, user }: RepoFixture) {
  describe('users', () => {
    test('R7: are found by ID, by e-mail in any case, and by verified phone', async () => {
      const phone_number = '0249999999'
      const old = await user({ phone_number, Verified: false })
      const newer = await user({ phone_number, Verified: false, email: 'Mixed@Example.com' })
      await repo.read(async ({ users }) => {
        expect((await users.byEmail(' mixed@example.COM'))?.ID).toBe(newer.ID)
        expect((await users.byEmail('mixed@example.com'))?.passwordHash).toBe('hash')
        expect((await users.byUnverifiedPhone(phone_number))?.ID).toBe(newer.ID)
        expect(await users.byVerifiedPhone(phone_number)).toBeUndefined()
        expect(await users.get(v7())).toBeUndefined()
      })
      await repo.transaction(({ users }) => users.change(old.ID, { Verified: true }))
      const found = await repo.read(({ users }) => users.byVerifiedPhone(phone_number))
      expect(found).toMatchObject({ ...old, Verified: true, passwordHash: 'hash' })
    })

    test('R7: have different e-mails and verified phones', async () => {
      const ama = await user({ email: 'own@example.com' })
      const again = (over: Partial<Account>) =>
        repo.transaction(({ users }) => users.add(account(over)))
      await expect(again({ email: 'OWN@example.com' })).rejects.toEqual(refused('email-taken'))
      const { phone_number } = ama
      await expect(again({ phone_number })).rejects.toEqual(refused('phone-taken'))
      const efua = await user()
      const rename = (email: string) =>
        repo.transaction(({ users }) => users.change(efua.ID, { email }))
      await expect(rename('OWN@example.com')).rejects.toEqual(refused('email-taken'))
      await rename(efua.email.toUpperCase())
      const other = await user({ phone_number, Verified: false })
      await expect(
        repo.transaction(({ users }) => users.change(other.ID, { Verified: true })),
      ).rejects.toEqual(refused('phone-taken'))
    })

    test('change only the fields that are named', async () => {
      const yaw = await user({ role: 'driver', driverStatus: 'pending' })
      await repo.transaction(({ users }) => users.change(yaw.ID, { driverStatus: 'approved' }))
      const changed = await repo.transaction(({ users }) => users.lock(yaw.ID))
      expect(changed).toEqual({ ...yaw, driverStatus: 'approved' })
      expect(await repo.transaction(({ users }) => users.lockShared(yaw.ID))).toEqual(changed)
      const ama = await user()
      expect(ama).not.toHaveProperty('driverStatus')
    })

    test('may have no phone; a pending phone is verified by nobody', async () => {
      const [one, two] = [await user({ phone_number: '' }), await user({ phone_number: '' })]
      expect([one.Verified, two.Verified]).toEqual([true, true])
      const phone = '0248888888'
      await repo.transaction(({ users }) => users.change(one.ID, { pendingPhone: phone }))
      await repo.read(async ({ users }) => {
        expect(await users.get(one.ID)).toEqual({ ...one, pendingPhone: phone })
        expect((await users.byUnverifiedPhone(phone))?.ID).toBe(one.ID)
        expect(await users.byVerifiedPhone(phone)).toBeUndefined()
        expect(await users.phoneChangedAt(one.ID)).toBeUndefined()
      })
      const changedAt = at()
      const taken = { phone_number: phone, pendingPhone: null, phoneChangedAt: changedAt }
      await repo.transaction(({ users }) => users.change(one.ID, taken))
      await repo.read(async ({ users }) => {
        expect(await users.byVerifiedPhone(phone)).toMatchObject({ ...one, phone_number: phone })
        expect(await users.byUnverifiedPhone(phone)).toBeUndefined()
        expect(await users.phoneChangedAt(one.ID)).toBe(changedAt)
        expect(await users.phoneChangedAt(two.ID)).toBeUndefined()
      })
    })

    test('are listed by name, searched and paged', async () => {
      for (const name of ['Zara Lister', 'abla lister', 'Esi Lister']) await user({ name })
      const list = (over: object) =>
        repo.read(({ users }) => users.list({ limit: 2, search: 'LISTER', sort: 'name', ...over }))
      const first = await list({})
      expect(first.rows.map(({ name }) => name)).toEqual(['abla lister', 'Esi Lister'])
      expect(first.total).toBe(3)
      const second = await list({ after: first.next })
      expect(second.rows.map(({ name }) => name)).toEqual(['Zara Lister'])
      expect(second.next).toBeUndefined()
      await expect(list({ sort: 'password' })).rejects.toEqual(refused('invalid'))
      await expect(list({ after: 'nowhere' })).rejects.toEqual(refused('invalid'))
    })
  })

  test('R151: a number that a guest has confirmed stays so', async () => {
    const has = (key: string) => repo.read(({ confirmedPhones }) => confirmedPhones.has(key))
    expect(await has('one')).toBe(false)
    for (let times = 0; times < 2; times++)
      await repo.transaction(({ confirmedPhones }) => confirmedPhones.add('one', at()))
    expect([await has('one'), await has('two')]).toEqual([true, false])
  })

  test('R209: an invitation replaces that to the same e-mail, is removed once, and ends', async () => {
    const { ID: invitedBy } = await user({ role: 'admin' })
    const invitation = (email: string, hash: string, day: number) => ({
      ...{ ID: v7(), email, hash, invitedBy, role: 'support' as const, createdAt: at() },
      expiresAt: `2026-03-0${day}T00:00:00.000Z`,
    })
    const first = invitation('yaa@example.com', 'h1', 1)
    const second = invitation('Yaa@Example.com', 'h2', 2)
    const third = invitation('efua@example.com', 'h3', 1)
    await repo.transaction(async ({ invitations }) => {
      for (const each of [first, second, third]) await invitations.put(each)
      await invitations.sweep('2026-03-01T12:00:00.000Z')
    })
    const find = (hash: string) => repo.read(({ invitations }) => invitations.find(hash))
    expect([await find('h1'), await find('h3')]).toEqual([undefined, undefined])
    expect(await find('h2')).toMatchObject(second)
    expect(await repo.read(({ invitations }) => invitations.list())).toHaveLength(1)
    const office = await repo.read(({ users }) => users.office())
    expect(office.map(({ ID }) => ID)).toContain(invitedBy)
    const remove = () => repo.transaction(({ invitations }) => invitations.remove(second.ID))
    expect([await remove(), await remove()]).toEqual([true, false])
    await repo.transaction(async ({ invitations }) => {
      await invitations.put(third)
      await invitations.removeAllBy(invitedBy)
      expect(await invitations.list()).toEqual([])
    })
  })

  test('sessions are found by the hash of their token until they end', async () => {
    const [ama, efua] = [await user(), await user()]
    const [createdAt, usedAt] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']
    await repo.transaction(async ({ sessions }) => {
      for (const [hash, userId] of [
        ['a1', ama.ID],
        ['a2', ama.ID],
        ['e1', efua.ID],
      ] as const)
        await sessions.add({ hash, userId, id: v7(), device: 'Chrome', createdAt, usedAt })
      await sessions.touch('e1', '2026-02-01T00:00:00.000Z')
      await sessions.end('a1')
    })
    const find = (hash: string) => repo.read(({ sessions }) => sessions.find(hash))
    expect(await find('a1')).toBeUndefined()
    const touched = '2026-02-01T00:00:00.000Z'
    expect(await find('e1')).toEqual({ user: efua, createdAt, usedAt: touched })
    const [listed] = await repo.read(({ sessions }) => sessions.listOf(efua.ID))
    expect(listed).toMatchObject({ hash: 'e1', device: 'Chrome', createdAt, usedAt: touched })
    const id = present(listed?.id)
    expect(await repo.transaction(({ sessions }) => sessions.endOf(ama.ID, id))).toBe(false)
    await repo.transaction(({ sessions }) => sessions.endAllOf(ama.ID, 'a2'))
    expect(await find('a2')).toBeDefined()
    await repo.transaction(({ sessions }) => sessions.endAllOf(ama.ID))
    expect(await find('a2')).toBeUndefined()
    const sweep = (unused: string, made: string) =>
      repo.transaction(({ sessions }) => sessions.sweep(unused, made))
    await sweep('2026-01-31T00:00:00.000Z', '2025-12-31T00:00:00.000Z')
    expect(await find('e1')).toBeDefined()
    await sweep('2026-01-31T00:00:00.000Z', '2026-01-02T00:00:00.000Z')
    expect(await find('e1')).toBeUndefined()
    await repo.transaction(({ sessions }) =>
      sessions.add({ hash: 'e2', userId: efua.ID, id, device: '', createdAt, usedAt }),
    )
    expect(await repo.transaction(({ sessions }) => sessions.endOf(efua.ID, id))).toBe(true)
    expect(await find('e2')).toBeUndefined()
  })

  test('R62: a code replaces the one before, counts wrong attempts, and ends', async () => {
    const { ID: userId, phone_number: phone } = await user()
    const code = { userId, phone, purpose: 'verify' as const, wrong: 0 }
    const expiresAt = '2026-01-01T00:10:00.000Z'
    await repo.transaction(async ({ codes }) => {
      await codes.put({ ...code, hash: 'one', expiresAt })
      await codes.put({ ...code, hash: 'two', expiresAt })
      await codes.countWrong({ ...code, hash: 'two', expiresAt })
    })
    const sent = () => repo.transaction(({ codes }) => codes.lock(phone, 'verify'))
    expect(await sent()).toEqual([{ ...code, hash: 'two', expiresAt, wrong: 1 }])
    expect(await repo.transaction(({ codes }) => codes.lock(phone, 'reset'))).toEqual([])
    await repo.transaction(({ codes }) => codes.end(userId, 'verify'))
    expect(await sent()).toEqual([])
  })

  test('attempts are counted within a period, refunded, cleared and deleted', async () => {
    const [key, id] = [v7(), v7()]
    const times = [1, 2, 3].map((n) => new Date(Date.UTC(2026, 0, n)).toISOString())
    await repo.transaction(async ({ attempts }) => {
      await attempts.lock(key)
      await attempts.add({ id, key, at: times[1] ?? '' })
      await attempts.add({ id: v7(), key, at: times[0] ?? '' })
      await attempts.add({ id: v7(), key, at: times[2] ?? '' })
    })
    const since = (time: string) => repo.read(({ attempts }) => attempts.since(key, time))
    expect(await since('2025-01-01T00:00:00.000Z')).toEqual(times)
    expect(await since(times[0] ?? '')).toEqual(times.slice(1))
    const count = (time: string) => repo.read(({ attempts }) => attempts.count(key, time))
    expect([await count('2025-01-01T00:00:00.000Z'), await count(times[0] ?? '')]).toEqual([3, 2])
    await repo.transaction(({ attempts }) => attempts.removeById(id))
    expect(await since('2025-01-01T00:00:00.000Z')).toEqual([times[0], times[2]])
    await repo.transaction(({ attempts }) => attempts.sweep(times[2] ?? ''))
    expect(await since('2025-01-01T00:00:00.000Z')).toEqual([times[2]])
    await repo.transaction(({ attempts }) => attempts.forget(key))
    expect(await since('2025-01-01T00:00:00.000Z')).toEqual([])
  })

  test('applications are listed with their driver’s name, by status', async () => {
    const yaw = await user({ role: 'driver', driverStatus: 'pending', name: 'Yaw Applies' })
    const papers = {
      idType: 'passport' as const,
      idNumber: 'AB123456',
      idPhoto: 'http://x/id.jpg',
    }
    await repo.transaction(({ applications }) =>
      applications.add({ userId: yaw.ID, ...papers, createdAt: at() }),
    )
    const expected = {
      ID: yaw.ID,
      Status: 'pending',
      User: { Name: yaw.name, Email: yaw.email, Phone: yaw.phone_number },
      CreatedAt: expect.any(String),
      IDType: 'passport',
      IDNumber: 'AB123456',
      IDPhoto: 'http://x/id.jpg',
    }
    const list = (status?: 'pending' | 'approved', search?: string) =>
      repo.read(({ applications }) => applications.list({ limit: 10, search }, status))
    expect(await list('pending')).toEqual({ rows: [expected], next: undefined, total: 1 })
    expect((await list('approved')).rows).toEqual([])
    await repo.transaction(({ applications }) => applications.change(yaw.ID, 'approved', at()))
    expect((await list(undefined, 'yaw app')).rows).toEqual([
      { ...expected, Status: 'approved', DecidedAt: expect.any(String) },
    ])
    expect(await repo.read(({ applications }) => applications.get(v7()))).toBeUndefined()
  })
}
