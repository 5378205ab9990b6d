import pg from 'pg'
import { expect, test } from 'vitest'
import { type Person, present, usesPostgres } from '../../helpers/server/server.ts'
import { serverFixture } from '../server-fixture.ts'

const server = await serverFixture()
const yaw = await server.driver()
const admin = await server.admin()

type ListOp =
  | 'availableDeliveries'
  | 'adminDeliveries'
  | 'senderDeliveries'
  | 'senderActiveDeliveries'
async function list(op: ListOp, by: Person, query: Record<string, string> = {}) {
  const { value } = await server.ask(op, { token: by.token, query })
  const { deliveries, ...rest } = present(value)
  return { ids: deliveries.map(({ ID }) => ID), deliveries, ...rest, cursor: present(rest.cursor) }
}

const cancel = (by: Person, id: string) => server.changeStatus(by, id, 'Cancelled')

test.runIf(usesPostgres)(
  'R73: a cursor skips no row that commits late, whatever else commits meanwhile',
  async () => {
    const [ama, efua, kofi] = [await server.sender(), await server.sender(), await server.sender()]
    const late = await server.delivery(ama)
    let { cursor } = await list('adminDeliveries', admin)

    const slow = new pg.Client({ connectionString: present(server.database.url) })
    await slow.connect()
    await slow.query('begin')
    await slow.query('update deliveries set item_photo = $1 where id = $2', ['late', late.ID])

    // Later rows are read before it commits.
    const seen = new Set<string>()
    for (const by of [efua, kofi]) {
      const made = await server.delivery(by)
      const delta = await list('adminDeliveries', admin, { since: cursor })
      for (const id of delta.ids) seen.add(id)
      expect(delta.ids).toContain(made.ID)
      expect(delta.deliveries.every(({ itemPhoto }) => itemPhoto !== 'late')).toBe(true)
      cursor = delta.cursor
    }
    await slow.query('commit')
    await slow.end()
    const delta = await list('adminDeliveries', admin, { since: cursor })
    expect(delta.deliveries.find(({ ID }) => ID === late.ID)?.itemPhoto).toBe('late')
  },
)

test('R73: a reader who follows cursors during many writes ends with the present rows', async () => {
  const senders = []
  for (let n = 0; n < 6; n++) senders.push(await server.sender())
  const start = await list('availableDeliveries', yaw)
  const held = new Set(start.ids)
  let { cursor } = start
  let writing = true
  const follow = async () => {
    const { ids, removed, cursor: next } = await list('availableDeliveries', yaw, { since: cursor })
    for (const id of ids) held.add(id)
    for (const id of removed ?? []) held.delete(id)
    cursor = next
  }
  const writers = Promise.all(
    senders.map(async (by, n) => {
      for (let round = 0; round < 8; round++) {
        const made = await server.delivery(by)
        if (round < 7 || n % 2) await cancel(by, made.ID)
      }
    }),
  ).finally(() => {
    writing = false
  })
  while (writing) await follow()
  await writers
  await follow()
  const truth = await list('availableDeliveries', yaw)
  expect([...held].sort()).toEqual([...truth.ids].sort())
})

test('R73: a cursor of another database, or an invalid one, gets the full list', async () => {
  await server.delivery(await server.sender())
  const { cursor, ids } = await list('adminDeliveries', admin)
  const far = `${cursor.split('-')[0]}-9999999999999`
  for (const since of ['garbage', `0123456789abcdef-1`, far, '', `${cursor}'`]) {
    const answer = await list('adminDeliveries', admin, { since })
    expect(answer.removed).toBeUndefined()
    expect(answer.ids).toEqual(ids)
  }
})

test('a response whose ETag the reader has is 304 until it changes', async () => {
  const ama = await server.sender()
  const made = await server.delivery(ama)
  const get = (path: string, token: string, etag?: string) =>
    server.raw('GET', path, { token, headers: etag ? { 'if-none-match': etag } : {} })
  const paths = [
    `/deliveries/${made.ID}`,
    '/sender/deliveries',
    '/users/me',
    '/zones',
    '/items',
    '/config',
    '/driver/available-deliveries',
    '/driver/status',
    '/driver/my-deliveries',
    '/admin/stats',
    '/admin/users',
    '/admin/deliveries',
    '/admin/drivers',
    '/admin/activities',
  ]
  for (const path of paths) {
    const by = path.startsWith('/admin') ? admin : path.startsWith('/driver') ? yaw : ama
    const etag = present((await get(path, by.token)).headers.get('etag'))
    const held = await get(path, by.token, `"other", W/${etag}`)
    expect([held.status, await held.text(), held.headers.get('etag')], path).toEqual([
      304,
      '',
      etag,
    ])
  }
  const path = `/deliveries/${made.ID}`
  const etag = present((await get(path, ama.token)).headers.get('etag'))
  // A driver who looks for jobs gets another form of the same row.
  expect((await get(path, yaw.token, etag)).status).toBe(200)
  await cancel(ama, made.ID)
  expect((await get(path, ama.token, etag)).status).toBe(200)
})

test('a list’s ETag does not depend on its cursor: it stays while other rows change', async () => {
  const ama = await server.sender()
  await server.delivery(ama)
  const get = (headers = {}) =>
    server.raw('GET', '/sender/deliveries', { token: ama.token, headers })
  const first = await get()
  await server.delivery(await server.sender())
  const etag = present(first.headers.get('etag'))
  expect((await get({ 'if-none-match': etag })).status).toBe(304)
})

test('invalid limits, cursors and sorts are refused', async () => {
  for (const query of [
    'limit=0',
    'limit=-1',
    'limit=x',
    'limit=',
    'limit=1.5',
    'limit=100000',
    'after=x',
    'after=WzEsMl0',
    'sort=password',
    'sort=-',
    'sort=__proto__',
    'status=Flying',
    'search=%00',
  ]) {
    const answer = await server.raw('GET', `/admin/deliveries?${query}`, { token: admin.token })
    expect([query, answer.status, (await answer.json()).reason]).toEqual([query, 400, 'invalid'])
  }
})
