import { v7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Delivery, Status } from '#domain/deliveries/delivery.ts'
import { contactOf, type User } from '#domain/users/user.ts'
import type { Account, Repo } from '#server/ports/repo.ts'
import type { ChangeEvent } from '#server/rules/change-events.ts'
import { hold, refund, release } from '#server/rules/ledger.ts'
import { present } from '../../helpers/present.ts'

/**
 * The contract of every adapter of the `Repo` port, whatever its database. `make` returns an empty
 * repo.
 */
export function repoContract(
  name: string,
  make: () => Promise<{ repo: Repo; close(): Promise<void> }>,
) {
  describe(`the Repo over ${name}`, () => {
    let repo: Repo
    let close: () => Promise<void>
    beforeAll(async () => {
      ;({ repo, close } = await make())
    })
    afterAll(() => close())

    const refused = (reason: string) => expect.objectContaining({ reason })
    let clock = Date.parse('2026-01-01T00:00:00Z')
    const at = () => new Date(clock++).toISOString()
    let phones = 0

    const account = (over: Partial<Account> = {}): Account => ({
      ID: v7(),
      name: 'Ama',
      email: `${v7()}@example.com`,
      role: 'sender',
      Verified: true,
      phone_number: `02400${String(++phones).padStart(5, '0')}`,
      passwordHash: 'hash',
      createdAt: at(),
      ...over,
    })
    async function user(over: Partial<Account> = {}): Promise<User> {
      const added = account(over)
      await repo.transaction(({ users }) => users.add(added))
      return present(await repo.read(({ users }) => users.get(added.ID)))
    }
    function draft(over: Partial<Delivery> = {}): Delivery {
      const now = at()
      return {
        ID: v7(),
        status: 'Pending',
        itemDescription: 'Documents',
        offer: 12.34,
        pickupZone: 'Osu',
        dropoffZone: 'Tema',
        itemPhoto: 'http://x/p.jpg',
        recipientName: 'Esi',
        recipientPhone: '0550000001',
        deliveryCode: '01234',
        isGuestDelivery: true,
        senderName: 'Kofi',
        senderPhone: '0240000009',
        createdAt: now,
        updatedAt: now,
        history: [{ status: 'Pending', at: now }],
        ...over,
      }
    }
    const add = (over: Partial<Delivery> = {}) =>
      repo.transaction(({ deliveries }) => deliveries.add(draft(over)))
    const by = (sender: User) => ({ sender: contactOf(sender), isGuestDelivery: false })
    const save = (delivery: Delivery) =>
      repo.transaction(({ deliveries }) => deliveries.save(delivery))

    describe('a transaction', () => {
      test('that fails is rolled back', async () => {
        const [made, person] = [draft(), account()]
        await expect(
          repo.transaction(async ({ users, deliveries, ledger, zones, settings }) => {
            await users.add(person)
            await deliveries.add(made)
            await ledger.post(hold(made, v7()))
            await zones.add({ ID: v7(), Name: 'Undone' }, at())
            await settings.keep('undone', 'x')
            throw new Error('stop')
          }),
        ).rejects.toThrow('stop')
        await repo.read(async ({ users, deliveries, ledger, zones, settings }) => {
          expect(await users.get(person.ID)).toBeUndefined()
          expect(await deliveries.get(made.ID)).toBeUndefined()
          expect(await ledger.of(made.ID)).toEqual([])
          expect(await zones.has('Undone')).toBe(false)
          expect(await settings.get('undone')).toBeUndefined()
        })
      })

      test('publishes its events when it commits, and only then', async () => {
        const heard: ChangeEvent[] = []
        const stop = repo.listen(
          (news) => heard.push(news),
          () => undefined,
        )
        await new Promise((later) => setTimeout(later, 300))
        const news = (id: string): ChangeEvent => ({
          about: 'delivery',
          id,
          to: ['x'],
          admins: true,
        })
        await expect(
          repo.transaction(async (stores) => {
            await stores.publish(news('undone'))
            throw new Error('stop')
          }),
        ).rejects.toThrow('stop')
        await repo.transaction(async (stores) => {
          await stores.publish(news('done'))
          await stores.users.get(v7())
          expect(heard).toEqual([])
        })
        await expect.poll(() => heard).toEqual([news('done')])
        stop()
        await repo.transaction((stores) => stores.publish(news('unheard')))
        await new Promise((later) => setTimeout(later, 100))
        expect(heard).toHaveLength(1)
      })
    })

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
        expect(found).toEqual({ ...old, Verified: true })
      })

      test('R7: have different e-mails and verified phones', async () => {
        const ama = await user({ email: 'own@example.com' })
        const again = (over: Partial<Account>) =>
          repo.transaction(({ users }) => users.add(account(over)))
        await expect(again({ email: 'OWN@example.com' })).rejects.toEqual(refused('email-taken'))
        const { phone_number } = ama
        await expect(again({ phone_number })).rejects.toEqual(refused('phone-taken'))
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
          expect(await users.byVerifiedPhone(phone)).toEqual({ ...one, phone_number: phone })
          expect(await users.byUnverifiedPhone(phone)).toBeUndefined()
          expect(await users.phoneChangedAt(one.ID)).toBe(changedAt)
          expect(await users.phoneChangedAt(two.ID)).toBeUndefined()
        })
      })

      test('are listed by name, searched and paged', async () => {
        for (const name of ['Zara Lister', 'abla lister', 'Esi Lister']) await user({ name })
        const list = (over: object) =>
          repo.read(({ users }) =>
            users.list({ limit: 2, search: 'LISTER', sort: 'name', ...over }),
          )
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

    test('R70: a request key is claimed once, also by concurrent calls, and its response stored', async () => {
      const id = v7()
      const sealed = new Uint8Array([0, 1, 255])
      const work = () =>
        repo.transaction(async ({ requests }) => {
          if (!(await requests.claim(id, 'print', at()))) return requests.find(id)
          await requests.answer(id, 201, sealed)
          return 'first' as const
        })
      const outcomes = await Promise.all([work(), work(), work(), work()])
      expect(outcomes.filter((each) => each === 'first')).toHaveLength(1)
      const kept = { fingerprint: 'print', status: 201, sealed }
      expect(outcomes.filter((each) => each !== 'first')).toEqual([kept, kept, kept])
      await repo.transaction(({ requests }) => requests.sweep('2030-01-01T00:00:00.000Z'))
      expect(await repo.read(({ requests }) => requests.find(id))).toBeUndefined()
    })

    test('stored responses are read in pages in order of ID, sealed anew, and removed', async () => {
      const ids = ['page a', 'page b', 'page c']
      await repo.transaction(async ({ requests }) => {
        for (const id of ids) {
          await requests.claim(id, 'print', at())
          await requests.answer(id, 200, new Uint8Array([1]))
        }
        await requests.answer('page b', 201, new Uint8Array([2]))
      })
      const page = (after: string, limit: number) =>
        repo.read(({ requests }) => requests.page(after, limit))
      const [first, second] = await page('page ', 2)
      expect([first?.id, second?.id]).toEqual(['page a', 'page b'])
      expect(second).toEqual({
        id: 'page b',
        fingerprint: 'print',
        status: 201,
        sealed: new Uint8Array([2]),
      })
      await repo.transaction(({ requests }) => requests.remove('page a'))
      expect((await page('page ', 9)).map(({ id }) => id)).toEqual(['page b', 'page c'])
      expect(await page('page c', 9)).toEqual([])
    })

    test('a setting keeps its first value until it is removed', async () => {
      const keep = (value: string) => repo.transaction(({ settings }) => settings.keep('s', value))
      expect([await keep('one'), await keep('two')]).toEqual(['one', 'one'])
      await repo.transaction(({ settings }) => settings.remove('s'))
      expect(await keep('two')).toBe('two')
      await repo.transaction(({ settings }) => settings.remove('s'))
    })

    describe('deliveries', () => {
      test('are stored with every field, and each change advances the cursor', async () => {
        const ama = await user()
        const made = draft({ ...by(ama), itemDescription: 'Ɔ 📦', offer: 0.1 })
        const added = await repo.transaction(({ deliveries }) => deliveries.add(made))
        expect(added).toEqual({ ...made, version: 1 })
        const changed = { ...made, proofOfDelivery: 'http://x/q.jpg' }
        const saved = await save(changed)
        expect(saved).toEqual({ ...changed, version: 2, updatedAt: saved.updatedAt })
        // It increases, whatever the clock of the change.
        expect(Date.parse(saved.updatedAt)).toBeGreaterThan(Date.parse(made.updatedAt))
        expect(await repo.read(({ deliveries }) => deliveries.get(made.ID))).toEqual(saved)
        await expect(add({ ID: made.ID })).rejects.toEqual(refused('key-reused'))
        expect(await repo.transaction(({ deliveries }) => deliveries.lock(v7()))).toBeUndefined()
      })

      test('R30: one is active for each sender, until it is Approved or Cancelled', async () => {
        const [ama, yaw] = [await user(), await user({ role: 'driver' })]
        let made: Delivery = await add(by(ama))
        const another = () => add(by(ama))
        for (const status of ['Accepted', 'Picked Up', 'Delivered'] as const) {
          await expect(another()).rejects.toEqual(refused('active-delivery'))
          made = await save({ ...made, status, driver: contactOf(yaw) })
        }
        await expect(another()).rejects.toEqual(refused('active-delivery'))
        await save({ ...made, status: 'Approved' })
        const second = await another()
        await save({ ...second, status: 'Cancelled' })
        await another()
        // Guests have no such limit.
        await add()
        await add()
      })

      test('R29: one job is active for each driver, until it is Delivered', async () => {
        const yaw = await user({ role: 'driver' })
        const take = async (status: Status) =>
          save({ ...(await add()), status, driver: contactOf(yaw) })
        const job = await take('Accepted')
        await expect(take('Accepted')).rejects.toEqual(refused('active-job'))
        await save({ ...job, status: 'Picked Up' })
        await expect(take('Picked Up')).rejects.toEqual(refused('active-job'))
        await save({ ...job, status: 'Delivered' })
        await take('Accepted')
      })

      test('that are active are found for both parties', async () => {
        const [ama, yaw] = [await user(), await user({ role: 'driver' })]
        const done = await add(by(ama))
        await save({ ...done, status: 'Cancelled' })
        const made = await add(by(ama))
        await save({ ...made, status: 'Accepted', driver: contactOf(yaw) })
        for (const { ID } of [ama, yaw]) {
          const found = await repo.transaction(({ deliveries }) => deliveries.lockUnfinishedOf(ID))
          expect(found.map((each) => each.ID)).toEqual([made.ID])
        }
      })

      test('are listed for their sender, their driver, and drivers who look for jobs', async () => {
        const [ama, yaw] = [await user(), await user({ role: 'driver' })]
        const route = { pickupZone: 'Labone', dropoffZone: 'Legon Campus' }
        const made = await add({ ...by(ama), ...route })
        const guest = await add(route)
        const own = await add({ ...by(yaw), ...route })
        type List = Parameters<
          Awaited<Parameters<Parameters<Repo['read']>[0]>[0]>['deliveries']['list']
        >[0]
        const ids = async (list: List) => {
          const page = await repo.read(({ deliveries }) => deliveries.list(list, { limit: 100 }))
          return page.rows.map(({ ID }) => ID)
        }
        const statuses: Status[] = ['Pending']
        expect(await ids({ of: { forDriver: yaw.ID, ...route }, statuses })).toEqual([
          guest.ID,
          made.ID,
        ])
        expect(await ids({ of: { sender: ama.ID } })).toEqual([made.ID])
        expect(await ids({ of: { sender: yaw.ID }, statuses })).toEqual([own.ID])
        await save({ ...made, status: 'Accepted', driver: contactOf(yaw) })
        expect(await ids({ of: { driver: yaw.ID } })).toEqual([made.ID])
        expect(await ids({ of: { driver: yaw.ID }, statuses: ['Delivered'] })).toEqual([])
        expect(await ids({ of: { forDriver: yaw.ID, ...route }, statuses })).toEqual([guest.ID])
        expect(await ids({ of: 'everyone' })).toEqual(
          expect.arrayContaining([made.ID, guest.ID, own.ID]),
        )
      })

      test('R73: since a cursor: changed and removed rows; a cursor of another database is ignored', async () => {
        const ama = await user()
        const list = { of: { sender: ama.ID }, statuses: ['Pending', 'Accepted'] as Status[] }
        const read = (since?: string) =>
          repo.read(({ deliveries }) => deliveries.list(list, { limit: 100 }, since))
        const start = await read()
        expect(start).toMatchObject({ rows: [], cursor: expect.any(String) })
        expect(start.removed).toBeUndefined()
        const made = await add(by(ama))
        const came = await read(start.cursor)
        expect(came).toMatchObject({ rows: [{ ID: made.ID, version: 1 }], removed: [] })
        expect(await read(came.cursor)).toMatchObject({ rows: [], removed: [] })
        await save({ ...made, status: 'Cancelled' })
        expect(await read(came.cursor)).toMatchObject({ rows: [], removed: [made.ID] })
        for (const since of ['garbage', '', '0000000000000000-1']) {
          const full = await read(since)
          expect(full.removed).toBeUndefined()
        }
      })

      test('are paged by date or offer, each row once', async () => {
        const ama = await user()
        const made: Delivery[] = []
        for (let n = 0; n < 5; n++) {
          made.unshift(await add({ ...by(ama), status: 'Cancelled', offer: n % 2 ? 10 : 20 + n }))
        }
        const all = async (sort?: string) => {
          const ids: string[] = []
          let after: string | undefined
          do {
            const page = { limit: 2, sort, after }
            const found = await repo.read(({ deliveries }) =>
              deliveries.list({ of: { sender: ama.ID } }, page),
            )
            ids.push(...found.rows.map(({ ID }) => ID))
            after = found.next
          } while (after)
          return ids
        }
        const newest = made.map(({ ID }) => ID)
        expect(await all()).toEqual(newest)
        expect(await all('createdAt')).toEqual([...newest].reverse())
        const cheapest = (a: Delivery, b: Delivery) => a.offer - b.offer || (a.ID < b.ID ? -1 : 1)
        const byOffer = [...made].sort(cheapest).map(({ ID }) => ID)
        expect(await all('offer')).toEqual(byOffer)
        expect(await all('-offer')).toEqual([...byOffer].reverse())
        const of = { sender: ama.ID }
        expect(await repo.read(({ deliveries }) => deliveries.count({ of }))).toBe(5)
      })

      test('are found by their texts; wildcards in a search are taken literally', async () => {
        const marked = await add({ itemDescription: 'One 100%_\\ sure' })
        const find = (search: string) =>
          repo.read(({ deliveries }) => deliveries.list({ of: 'everyone' }, { limit: 50, search }))
        expect((await find('100%_\\ SURE')).rows.map(({ ID }) => ID)).toEqual([marked.ID])
        expect((await find('1__%')).rows).toEqual([])
        expect((await find(marked.ID)).rows).toHaveLength(1)
      })

      test('of a guest are found by the hash of the guest’s token', async () => {
        const made = await add()
        await repo.transaction(({ guestTokens }) => guestTokens.add('guest-hash', made.ID))
        const find = (hash: string, endedBefore = made.updatedAt) =>
          repo.read(({ guestTokens }) => guestTokens.find(hash, endedBefore))
        expect(await find('guest-hash')).toBe(made.ID)
        expect(await find('other')).toBeUndefined()
      })

      test('R54: of a guest are no longer found by their tokens, which are deleted, some time after they ended', async () => {
        const [open, over] = [await add(), await add()]
        await repo.transaction(async ({ guestTokens }) => {
          await guestTokens.add('of an open one', open.ID)
          await guestTokens.add('of an ended one', over.ID)
        })
        const { updatedAt } = await save({ ...over, status: 'Cancelled' })
        const after = new Date(Date.parse(updatedAt) + 1).toISOString()
        const find = (hash: string, endedBefore: string) =>
          repo.read(({ guestTokens }) => guestTokens.find(hash, endedBefore))
        const sweep = (endedBefore: string) =>
          repo.transaction(({ guestTokens }) => guestTokens.sweep(endedBefore))
        await sweep(updatedAt)
        expect(await find('of an ended one', updatedAt)).toBe(over.ID)
        expect(await find('of an ended one', after)).toBeUndefined()
        await sweep(after)
        expect(await find('of an ended one', updatedAt)).toBeUndefined()
        expect(await find('of an open one', after)).toBe(open.ID)
      })
    })

    test.each(['zones', 'items'] as const)(
      'R86: %s keep their order and have each name once',
      async (which) => {
        const [one, two] = [v7(), v7()]
        await repo.transaction(async (stores) => {
          await stores[which].add({ ID: two, Name: 'Zeta' }, at())
          await stores[which].add({ ID: one, Name: 'Alpha' }, at())
        })
        const list = () => repo.read((stores) => stores[which].list())
        expect(await list()).toEqual([
          { ID: two, Name: 'Zeta' },
          { ID: one, Name: 'Alpha' },
        ])
        const again = (ID: string, Name: string) =>
          repo.transaction((stores) => stores[which].add({ ID, Name }, at()))
        await expect(again(v7(), ' zETA')).rejects.toEqual(refused('name-taken'))
        await expect(again(one, 'Beta')).rejects.toEqual(refused('key-reused'))
        expect(await repo.read((stores) => stores[which].has('Zeta'))).toBe(true)
        expect(await repo.transaction((stores) => stores[which].remove(two))).toBe(true)
        expect(await repo.transaction((stores) => stores[which].remove(two))).toBe(false)
        expect(await repo.read((stores) => stores[which].has('Zeta'))).toBe(false)
      },
    )

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
        User: { Name: yaw.name, Email: yaw.email },
        IDType: 'passport',
        IDNumber: 'AB123456',
        IDPhoto: 'http://x/id.jpg',
      }
      const list = (status?: 'pending' | 'approved', search?: string) =>
        repo.read(({ applications }) => applications.list({ limit: 10, search }, status))
      expect(await list('pending')).toEqual({ rows: [expected], next: undefined, total: 1 })
      expect((await list('approved')).rows).toEqual([])
      await repo.transaction(({ applications }) => applications.change(yaw.ID, 'approved', at()))
      expect((await list(undefined, 'yaw app')).rows).toEqual([{ ...expected, Status: 'approved' }])
      expect(await repo.read(({ applications }) => applications.get(v7()))).toBeUndefined()
    })

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
          await ledger.post(release({ ...job, updatedAt: at() }, v7()))
        })
        const balance = (name: string) => repo.read(({ ledger }) => ledger.balance(name))
        expect(await balance(`sender:${ama.ID}`)).toBe(-1234)
        expect(await balance(`escrow:${made.ID}`)).toBe(0)
        expect(await balance(`driver:${yaw.ID}`)).toBe(1234)
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
        await post(release(job, v7()))
        await expect(post(release(job, v7()))).rejects.toEqual(refused('wrong-status'))
        await expect(post(refund(job, v7()))).rejects.toEqual(refused('wrong-status'))
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

    test('a setting keeps its first value', async () => {
      const keep = (value: string) =>
        repo.transaction(({ settings }) => settings.keep('name', value))
      expect(await keep('one')).toBe('one')
      expect(await keep('two')).toBe('one')
      expect(await repo.read(({ settings }) => settings.get('name'))).toBe('one')
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
      })
    })
  })
}
