import { describe, expect, test } from 'vitest'
import { loadLazy } from '#store/load-lazy.ts'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import { needsUpdate, unreadableRows } from '#store/queries/pulls.ts'
import * as queries from '#store/queries/queries.ts'
import { answersFor, deliveryAnswer, jobAnswer } from '../../helpers/device/answers.ts'
import { phoneOfTest, type SimulatedPhone } from '../../helpers/device/phone-of-test.ts'
import { refOf, viewers } from '../../helpers/device/simulated-phone.ts'

const minute = 60_000

const openPhone = phoneOfTest()

/** Every list of this viewer, with the member of its answer that holds its row or rows. */
const listsOf = ({ user, lists }: (typeof viewers)[string]) =>
  Object.entries(lists).map(([list, path]) => {
    const [member = ''] = Object.keys(answersFor(user ?? {})[path] ?? {})
    return { list, path, member }
  })

const unknown = { a: { form: ['of', 'a', 'newer', 'server'] } }

/** The row with one field after another in an unknown form. */
const mutations = (row: Record<string, unknown>): Record<string, unknown>[] =>
  Object.keys(row)
    .filter((field) => !/^id$/i.test(field))
    .map((field) => ({ ...row, [field]: unknown }))

/**
 * Answers of a newer server: such rows beside a good one, or such a row in place of the only one.
 * `unreadable`: how many rows of it this version cannot read, at most.
 */
function newerAnswers(good: Record<string, unknown>, member: string) {
  const value = good[member]
  if (Array.isArray(value)) {
    const rows = mutations(value[0]).map((row, at) =>
      'ID' in row ? { ...row, ID: `new ${at}` } : { ...row, id: `new ${at}` },
    )
    return [{ answer: { ...good, [member]: [...value, ...rows] }, unreadable: rows.length }]
  }
  if (typeof value !== 'object' || value === null)
    return [{ answer: { ...good, [member]: 'brand-new' }, unreadable: 1 }]
  return mutations(value as Record<string, unknown>).map((row) => ({
    answer: { ...good, [member]: row },
    unreadable: 1,
  }))
}

describe('S48: what only a newer version can read', () => {
  test.each(Object.entries(viewers))('of any list of a %s stops nothing else', async (name, of) => {
    const phone = await openPhone(name)
    for (const read of listsOf(of)) await expectUnharmedBy(phone, read)
  })

  type Read = ReturnType<typeof listsOf>[number]
  async function expectUnharmedBy(phone: SimulatedPhone, { list, path, member }: Read) {
    const { answers, db, time } = phone
    const good = answers[path] as Record<string, unknown>
    const before = await contents(db)
    async function expectUnharmed(unreadable: number) {
      expect((await queries.syncStatus(db)).reachable).toBe(true)
      expect(await contents(db)).toEqual(before)
      expect(await db.setAside.count()).toBeLessThanOrEqual(unreadable)
    }
    let last = 0
    for (const { answer, unreadable } of newerAnswers(good, member)) {
      answers[path] = answer
      phone.requests.length = 0
      await phone.engine.refresh(refOf(list))
      expect(phone.requests.map((request) => request.path)).toContain(path)
      await expectUnharmed(unreadable)
      last = unreadable
    }
    const from = time.now()
    await time.pass(minute / 3)
    expect(phone.countsSince(from)[path] ?? 0).toBeLessThanOrEqual(4)
    await expectUnharmed(last)
    answers[path] = good
    void phone.engine.wake()
    await time.pass(minute / 6)
    expect(await unreadableRows(db, list)).toBe(0)
    expect(await db.setAside.count()).toBe(0)
  }

  test('a delivery’s row stays as it was known, in its list and on its screen, and says so', async () => {
    const phone = await openPhone('driver')
    const { answers, db, time } = phone
    answers['/driver/my-deliveries'] = {
      deliveries: [jobAnswer('d3', { status: 'Teleported' }), jobAnswer('d5')],
    }
    answers['/deliveries/d1'] = { delivery: deliveryAnswer('d1', { status: 'Teleported' }) }
    await time.pass(2 * minute)
    expect(await deliveryQueries.deliveryRow(db, 'd3')).toMatchObject({
      view: { status: 'Accepted' },
    })
    expect(await deliveryQueries.deliveryRow(db, 'd1')).toMatchObject({
      view: { status: 'Accepted' },
    })
    expect(await deliveryQueries.deliveryRow(db, 'd5')).not.toBeNull()
    expect(await unreadableRows(db, 'jobs')).toBe(1)
    expect(await needsUpdate(db, 'd3')).toBe(true)
    expect(await needsUpdate(db, 'd1')).toBe(true)
    expect(await needsUpdate(db, 'd5')).toBe(false)
    answers['/driver/my-deliveries'] = { deliveries: [jobAnswer('d5')] }
    await time.pass(minute)
    expect(await unreadableRows(db, 'jobs')).toBe(0)
    expect(await deliveryQueries.deliveryRow(db, 'd3')).toBeNull()
  })

  test('a row that another list has no longer is still known to need an update', async () => {
    const phone = await openPhone('driver')
    const { answers, db, time } = phone
    answers['/driver/my-deliveries'] = {
      deliveries: [jobAnswer('d3', { status: 'Teleported' }), jobAnswer('d5')],
    }
    await time.pass(minute)
    answers['/driver/available-deliveries'] = { deliveries: [], removed: ['d3'] }
    await time.pass(2 * minute)
    expect(await needsUpdate(db, 'd3')).toBe(true)
    expect(await unreadableRows(db, 'jobs')).toBe(1)
  })

  test('a list is asked for in full when another list could read its row', async () => {
    const phone = await openPhone('driver')
    const { answers, db, time } = phone
    answers['/driver/my-deliveries'] = {
      deliveries: [jobAnswer('d1', { status: 'Teleported' })],
      cursor: 'c1',
    }
    answers['/deliveries/d1'] = { delivery: deliveryAnswer('d1', { status: 'Teleported' }) }
    await time.pass(minute)
    expect(await unreadableRows(db, 'jobs')).toBe(1)
    answers['/driver/my-deliveries'] = { deliveries: [], removed: [], cursor: 'c2' }
    await time.pass(minute)
    expect((await db.pulls.get(['u1', 'jobs']))?.cursor).toBe('c2')
    const from = time.now()
    answers['/deliveries/d1'] = { delivery: deliveryAnswer('d1', { status: 'Delivered' }) }
    await time.pass(2 * minute)
    expect(await unreadableRows(db, 'jobs')).toBe(0)
    const ofJobs = phone.requests.filter(
      ({ path, at }) => path === '/driver/my-deliveries' && at > from,
    )
    expect(ofJobs.some(({ query }) => !query.has('since'))).toBe(true)
  })

  test('is asked for in full once the app is updated', async () => {
    await openPhone('driver', {
      prepare: async (db) => {
        const pulled = { account: 'u1', list: 'jobs', at: 1, cursor: 'c', etag: 'e' }
        await db.pulls.put(pulled)
        const about = { from: 'jobs', row: 'd9', value: {}, why: '', at: 1, account: 'u1' }
        await db.setAside.add({ ...about, build: 1 })
        await db.sessions.put({
          key: 'current',
          account: 'u1',
          token: 't',
          user: viewers.driver?.user as never,
        })
        const { lazyEngine } = await loadLazy()
        await lazyEngine.checkStored({ db, clock: { now: () => 1 }, cachePrefix: '' } as never)
        const after = await db.pulls.get(['u1', 'jobs'])
        expect([after?.cursor, after?.etag]).toEqual([undefined, undefined])
      },
    })
  })
})

/** What screens show of what was pulled. */
const contents = async (db: SimulatedPhone['db']) => {
  const tables = [
    db.zones,
    db.items,
    db.users,
    db.drivers,
    db.disputes,
    db.activities,
    db.stats,
    db.trends,
  ]
  const rows = await Promise.all(tables.map((table) => table.toArray()))
  const deliveries = (await db.deliveries.toArray()).map(({ view }) => view)
  return { rows, deliveries, sessions: await db.sessions.toArray() }
}
