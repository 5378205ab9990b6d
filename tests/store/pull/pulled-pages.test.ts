import { afterEach, beforeEach, expect, test } from 'vitest'
import { pullAnyList } from '#store/pull/pull-list.ts'
import type { ListRef } from '#sync/lists/list-ref.ts'
import { contextOf, deliveryOf } from '../../helpers/device/context.ts'
import { createDevice, person, signIn } from '../../helpers/device/device.ts'

const kofi = { id: 'kofi', name: 'Kofi', phone: '0244000000' }
const job = (id: string, more = {}) =>
  deliveryOf(id, { status: 'Approved', driver: kofi, sender: { ...kofi, id: 'esi' }, ...more })

let db: ReturnType<typeof createDevice>['db']
beforeEach(async () => {
  db = createDevice().db
  await signIn(db, person('kofi', 'driver', { driverStatus: 'approved' }))
})
afterEach(() => db.close())

type Asked = { query: Record<string, string>; etag: string | null }

/** A context whose server answers one body after another, and what it was asked. */
function answering(...bodies: (object | ((asked: Asked) => Promise<Response> | Response))[]) {
  const asked: Asked[] = []
  const context = contextOf(db, async (request) => {
    const one = {
      query: Object.fromEntries(new URL(request.url).searchParams),
      etag: request.headers.get('if-none-match'),
    }
    asked.push(one)
    const body = bodies[asked.length - 1] ?? { deliveries: [] }
    if (typeof body === 'function') return body(one)
    return Response.json(body, { headers: { etag: `"page ${asked.length}"` } })
  })
  return {
    asked,
    pull: (list: string | ListRef) =>
      pullAnyList(context, typeof list === 'string' ? { kind: list } : list),
  }
}

const held = async () => (await db.deliveries.toArray()).map(({ ID }) => ID).sort()
const pulled = (list = 'jobs') => db.pulls.get(['kofi', list])

test('S10, S50: the first page and what is under way come whole, and the first page’s cursor stands for both', async () => {
  const { asked, pull } = answering(
    { deliveries: [job('new')], next: 'older', cursor: 'first' },
    { deliveries: [job('a', { status: 'Accepted' })], next: 'more', cursor: 'second' },
    { deliveries: [job('b', { status: 'Picked Up' })], cursor: 'third' },
  )
  expect(await pull('jobs')).toMatchObject({ result: 'fresh' })
  expect(asked.map(({ query }) => query)).toEqual([
    { include_completed: 'true', limit: '200' },
    { include_completed: 'true', limit: '200', status: 'Pending,Accepted,Picked Up,Delivered' },
    {
      include_completed: 'true',
      limit: '200',
      status: 'Pending,Accepted,Picked Up,Delivered',
      after: 'more',
    },
  ])
  expect(await held()).toEqual(['a', 'b', 'new'])
  expect(await pulled()).toMatchObject({
    cursor: 'first',
    etag: '"page 1"',
    older: { after: 'older' },
  })
})

test('S10: every page of what changed is asked for, with the cursor and without the first page’s tag', async () => {
  await db.pulls.put({ account: 'kofi', list: 'jobs', at: 1, cursor: 'c', etag: '"known"' })
  const { asked, pull } = answering(
    { deliveries: [job('a')], removed: [], next: 'p2', cursor: 'd' },
    { deliveries: [job('b')], removed: ['gone'], next: 'p3', cursor: 'e' },
    { deliveries: [job('c')], removed: [], cursor: 'f' },
  )
  await pull('jobs')
  expect(asked.map(({ query, etag }) => [query.since, query.after, etag])).toEqual([
    ['c', undefined, '"known"'],
    ['c', 'p2', null],
    ['c', 'p3', null],
  ])
  expect(await held()).toEqual(['a', 'b', 'c'])
  expect(await pulled()).toMatchObject({ cursor: 'd', etag: '"page 1"' })
})

test('S10: a page that fails leaves the cursor where it was', async () => {
  await db.pulls.put({ account: 'kofi', list: 'jobs', at: 1, cursor: 'c', etag: '"known"' })
  const { pull } = answering(
    { deliveries: [job('a')], removed: [], next: 'p2', cursor: 'd' },
    () => {
      throw new TypeError('Failed to fetch')
    },
  )
  expect(await pull('jobs')).toMatchObject({ result: 'unreachable' })
  expect(await pulled()).toMatchObject({ cursor: 'c', etag: '"known"' })
})

test('S10: what an earlier page brought is not missing from the list', async () => {
  for (const id of ['a', 'b', 'x']) await db.deliveries.put(rowOf(id))
  const { pull } = answering(
    { deliveries: [job('a')], next: 'p2', cursor: 'd' },
    { deliveries: [], next: 'p3' },
    { deliveries: [job('b')] },
  )
  await pull('jobs')
  // Older than the first page, and perhaps on a later one.
  expect(await held()).toEqual(['a', 'b', 'x'])
  const again = answering({ deliveries: [job('a'), job('b')], cursor: 'd' })
  await db.pulls.clear()
  await again.pull('jobs')
  expect(await held()).toEqual(['a', 'b'])
})

test('S50: of jobs on offer one page is asked for', async () => {
  const offer = deliveryOf('o', { sender: { ...kofi, id: 'esi' } })
  const { asked, pull } = answering({ deliveries: [offer], next: 'p2', cursor: 'd' })
  await pull('available')
  expect(asked).toHaveLength(1)
  expect(await pulled('available')).toMatchObject({ cursor: 'd', older: { after: 'p2' } })
})

test('S24: a page of an admin that has not changed costs no body', async () => {
  await signIn(db, person('kofi', 'admin'))
  const page = { deliveries: [], total: 0 }
  const { asked, pull } = answering(page, () => new Response(null, { status: 304 }))
  const list = { kind: 'adminDeliveries', query: 'limit=10' }
  expect(await pull(list)).toMatchObject({ result: 'fresh' })
  expect(await pull(list)).toMatchObject({ result: 'unchanged' })
  expect(asked.map(({ query, etag }) => [query.limit, etag])).toEqual([
    ['10', null],
    ['10', '"page 1"'],
  ])
})

test('S38: an answer that comes after another person logged in is not stored', async () => {
  const { pull } = answering(async () => {
    await signIn(db, person('ama', 'driver'))
    return Response.json({ deliveries: [job('a')], cursor: 'd' })
  })
  expect(await pull('jobs')).toMatchObject({ result: 'not-asked' })
  expect(await held()).toEqual([])
  expect(await pulled()).toBeUndefined()
})

test.each([
  ['me', { user: { ...person('ama', 'user'), name: 'Ama Owusu' }, role: 'user' }],
  ['driverStatus', { status: 'rejected' }],
  ['sessions', { sessions: [] }],
])('S38: it changes nothing of the person who logged in either: %s', async (list, answer) => {
  const ama = person('ama', 'driver', { driverStatus: 'approved' })
  const { pull } = answering(async () => {
    await signIn(db, ama)
    return Response.json(answer)
  })
  expect(await pull(list)).toMatchObject({ result: 'not-asked' })
  expect(await db.sessions.get('current')).toMatchObject({ account: 'ama', user: ama })
  expect(await db.pulls.count()).toBe(0)
})

test('S14: a list refused with 401 ends the login, with 403 it does not', async () => {
  const refuse = (status: number, reason: string) =>
    answering(() => Response.json({ error: 'No', reason }, { status })).pull('jobs')
  expect(await refuse(403, 'not-allowed')).toMatchObject({ result: 'refused' })
  expect(await pulled()).toEqual({ account: 'kofi', list: 'jobs', at: 0, refused: true })
  expect(await db.sessions.get('current')).toBeDefined()
  expect(await refuse(401, 'no-session')).toMatchObject({ result: 'refused' })
  expect(await db.sessions.get('current')).toBeUndefined()
})

const rowOf = (id: string) =>
  ({
    v: 1,
    account: 'kofi',
    ID: id,
    view: job(id),
    known: true,
    marks: [],
    jobAt: '2026-11-21T10:00:00.000Z',
  }) as never
