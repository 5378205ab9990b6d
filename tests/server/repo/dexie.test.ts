import Dexie from 'dexie'
import { v7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDexieRepo } from '#demo/backend/dexie/dexie-repo.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { contactOf } from '#domain/users/user.ts'
import type { ChangeEvent } from '#server/ports/change-events.ts'
import type { Repo } from '#server/ports/repo.ts'
import type { Account } from '#server/ports/stores/account-stores.ts'
import { repoContract } from './contract/contract.ts'

/* Runs over fake-indexeddb in Node and over the real IndexedDB in Chromium (chromium.config.ts). */

repoContract('Dexie', async () => {
  const name = v7()
  const repo = openDexieRepo(name)
  return {
    repo,
    async close() {
      await repo.close()
      await erase(name)
    },
  }
})

/** Deletes the database while other tabs have it open, as the demo's reset does. */
const erase = (name: string) =>
  new Promise<void>((erased, failed) => {
    const request = indexedDB.deleteDatabase(name)
    request.onsuccess = () => erased()
    request.onerror = () => failed(request.error)
  })

// On localhost Dexie collects a stack trace of every error, expected ones too.
Dexie.debug = false

const at = '2026-01-01T00:00:00.000Z'
const refused = (reason: string) => expect.objectContaining({ reason })

const account = (over: Partial<Account> = {}): Account => ({
  ID: v7(),
  name: 'Yaw',
  email: `${v7()}@example.com`,
  role: 'driver',
  Verified: false,
  phone_number: '0240000001',
  passwordHash: 'hash',
  createdAt: at,
  ...over,
})

const draft = (over: Partial<Delivery> = {}): Delivery => ({
  ID: v7(),
  status: 'Pending',
  itemDescription: 'Documents',
  offer: 12.34,
  pickupZone: 'Osu',
  dropoffZone: 'Tema',
  isGuestDelivery: true,
  senderName: 'Kofi',
  createdAt: at,
  updatedAt: at,
  ...over,
})

const news = (id: string): ChangeEvent => ({ about: 'delivery', id, to: ['x'] })

describe('two tabs over one database', () => {
  let name: string
  let one: Repo
  let two: Repo
  beforeEach(() => {
    name = v7()
    one = openDexieRepo(name)
    two = openDexieRepo(name)
  })
  afterEach(async () => {
    await one.close()
    await two.close()
    await erase(name)
  })

  /** Runs the same call eight times at once, four in each tab; returns the sorted outcomes. */
  async function race(work: (tab: Repo, n: number) => Promise<string>): Promise<string[]> {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        work(n % 2 ? one : two, n).catch((error: { reason: string }) => error.reason),
      ),
    )
    return outcomes.sort()
  }

  test('R24: of eight drivers who accept a job at once one gets it', async () => {
    const made = draft()
    await one.transaction(({ deliveries }) => deliveries.add(made))
    const outcomes = await race((tab, n) =>
      tab.transaction(async ({ users, deliveries }) => {
        const driver = account({ name: `Driver ${n}` })
        await users.add(driver)
        const job = await deliveries.lock(made.ID)
        if (job?.status !== 'Pending') return 'too late'
        await deliveries.save(job, { ...job, status: 'Accepted', driver: contactOf(driver) })
        return 'first'
      }),
    )
    expect(outcomes).toEqual(['first', ...Array(7).fill('too late')])
    const kept = await two.read(({ deliveries }) => deliveries.get(made.ID))
    expect(kept).toMatchObject({ status: 'Accepted', version: 2 })
  })

  test('R73: a reader in one who follows cursors misses no change of the other', async () => {
    const read = (since?: string) =>
      two.read(({ deliveries }) => deliveries.list({ of: 'everyone' }, { limit: 1_000 }, since))
    const held = new Map<string, number>()
    let { cursor } = await read()
    let writing = true
    const writers = race(async (tab) => {
      for (let n = 0; n < 5; n++) {
        const made = await tab.transaction(({ deliveries }) => deliveries.add(draft()))
        await tab.transaction(({ deliveries }) => deliveries.save(made, { ...made, offer: 20 }))
      }
      return 'done'
    }).finally(() => {
      writing = false
    })
    const follow = async () => {
      const page = await read(cursor)
      for (const { ID, version } of page.rows) held.set(ID, version)
      cursor = page.cursor
    }
    while (writing) await follow()
    await writers
    await follow()
    expect([...held.values()]).toEqual(Array(40).fill(2))
  })

  test('an event of one is received in both, in order; none of a rolled-back transaction is', async () => {
    const heard: string[][] = [[], []]
    for (const [n, tab] of [one, two].entries())
      tab.listen(
        ({ id }) => heard[n]?.push(id ?? ''),
        () => undefined,
      )
    await expect(
      one.transaction(async ({ publish: announce }) => {
        await announce(news('undone'))
        throw new Error('stop')
      }),
    ).rejects.toThrow('stop')
    await one.transaction(async ({ publish: announce, users }) => {
      await announce(news('a'))
      await users.add(account())
      await announce(news('b'))
    })
    await expect
      .poll(() => heard)
      .toEqual([
        ['a', 'b'],
        ['a', 'b'],
      ])
  })

  test('R75: the receiver of an event can read the change at once', async () => {
    const person = account()
    const found: unknown[] = []
    for (const tab of [one, two])
      tab.listen(
        async () => found.push((await tab.read(({ users }) => users.get(person.ID)))?.name),
        () => undefined,
      )
    await one.transaction(async ({ users, publish: announce }) => {
      await users.add(person)
      await announce(news(person.ID))
    })
    await expect.poll(() => found).toEqual(['Yaw', 'Yaw'])
  })

  test('a transaction within another stands and falls with it', async () => {
    const heard: string[] = []
    one.listen(
      ({ id }) => heard.push(id ?? ''),
      () => undefined,
    )
    const person = account()
    await expect(
      one.transaction(async ({ users }) => {
        await one.transaction(async (inner) => {
          await inner.users.add(person)
          await inner.publish(news('undone'))
        })
        expect(await users.get(person.ID)).toBeDefined()
        throw new Error('stop')
      }),
    ).rejects.toThrow('stop')
    await one.transaction(({ publish: announce }) => announce(news('done')))
    expect(await one.read(({ users }) => users.get(person.ID))).toBeUndefined()
    expect(heard).toEqual(['done'])
  })

  test('when one deletes the database, the other goes on with an empty one and gets a gap event', async () => {
    let lost = 0
    two.listen(
      () => undefined,
      () => lost++,
    )
    const person = account()
    const list = (since?: string) =>
      two.read(({ deliveries }) => deliveries.list({ of: 'everyone' }, { limit: 10 }, since))
    await two.transaction(({ users }) => users.add(person))
    const { cursor } = await list()
    expect((await list(cursor)).removed).toEqual([])

    await one.close()
    await erase(name)
    expect(lost).toBe(1)
    expect(await two.read(({ users }) => users.get(person.ID))).toBeUndefined()
    // The cursor belongs to the deleted database.
    expect((await list(cursor)).removed).toBeUndefined()
    await two.transaction(({ users }) => users.add(person))
  })

  test('a tab that closes finishes what it was asked, and then says that it is closed', async () => {
    const person = account()
    const adding = one.transaction(async ({ users, settings }) => {
      await settings.keep('before', 'x')
      await users.add(person)
    })
    await one.close()
    await adding
    expect(await two.read(({ users }) => users.get(person.ID))).toBeDefined()
    await expect(one.read(({ users }) => users.get(person.ID))).rejects.toEqual(
      refused('unavailable'),
    )
    await expect(one.ping()).rejects.toEqual(refused('unavailable'))
    await two.ping()
  })
})

test('a defect of the server is not reported as an unreachable database', async () => {
  const name = v7()
  const repo = openDexieRepo(name)
  const missing = { ...draft(), version: 1 }
  const broken = repo.transaction(({ deliveries }) => deliveries.save(missing, missing))
  await expect(broken).rejects.toThrow('no such delivery')
  await expect(broken).rejects.not.toHaveProperty('reason')
  await repo.close()
  await erase(name)
})
