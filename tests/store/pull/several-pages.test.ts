import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadLazy } from '#store/load-lazy.ts'
import { pullList } from '#store/pull/pull.ts'
import { contextOf, deliveryOf } from '../../helpers/device/context.ts'
import { createDevice, person, signIn } from '../../helpers/device/device.ts'

const ama = { id: 'ama', name: 'Ama', phone: '0244000000' }
type List = [kind: 'sent' | 'jobs', path: string, party: object]
const lists: List[] = [
  ['sent', '/sender/deliveries', { sender: ama }],
  ['jobs', '/driver/my-deliveries', { driver: ama, status: 'Accepted' }],
]

type Page = { ids: string[]; cursor: string; next?: string; removed?: string[]; etag?: string }
type Device = ReturnType<typeof createDevice>
let device: Device
beforeEach(async () => {
  device = createDevice()
  await signIn(device.db, person('ama', 'driver', { driverStatus: 'approved' }))
})
afterEach(() => device.db.delete())

describe.each(lists)('a list of several pages: %s', (kind, path, party) => {
  /** Answers with each of these pages in turn; one that is missing is cut off. Returns what was asked. */
  async function pull(pages: (Page | 'cut' | 304)[]) {
    const asked: (URLSearchParams | string | null)[] = []
    const left = [...pages]
    const context = contextOf(device.db, async ({ url, headers }) => {
      expect(new URL(url).pathname).toBe(`/api${path}`)
      asked.push(new URL(url).searchParams, headers.get('if-none-match'))
      const page = left.shift() ?? 'cut'
      if (page === 'cut') throw new TypeError('Failed to fetch')
      if (page === 304) return new Response(null, { status: 304 })
      const { ids, etag, ...more } = page
      const deliveries = ids.map((id) => deliveryOf(id, party))
      return Response.json({ deliveries, ...more }, etag ? { headers: { etag } } : undefined)
    })
    const { result } = await pullList(context, { kind }, loadLazy)
    const questions = asked.filter((each) => each instanceof URLSearchParams)
    const part = (name: string) => questions.map((each) => each.get(name))
    return { result, after: part('after'), since: part('since'), etags: asked.slice(1, 2) }
  }
  /** What the server is known to have: a request of their own that it lost can be sent again (S54). */
  const held = async () =>
    (await device.db.deliveries.toArray()).flatMap(({ ID, known }) => (known ? [ID] : [])).sort()
  const state = () => device.db.pulls.get(['ama', kind])

  test('S10: after the first page come what is active and its further pages, and the first page’s cursor counts', async () => {
    const first = await pull([
      { ids: ['a', 'b'], cursor: 'c1', next: 'n1', etag: '"e1"' },
      { ids: ['c', 'd'], cursor: 'c2', next: 'n2', etag: '"e2"' },
      { ids: ['e'], cursor: 'c3', etag: '"e3"' },
    ])
    expect(first).toMatchObject({ result: 'fresh', after: [null, null, 'n2'] })
    expect(await held()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(await state()).toMatchObject({ cursor: 'c1', etag: '"e1"' })
    const second = await pull([304])
    expect(second).toMatchObject({ result: 'unchanged', since: ['c1'], etags: ['"e1"'] })
    expect(await held()).toHaveLength(5)
  })

  test('S10: cut off between two pages, the list is not taken for had', async () => {
    const pages: Page[] = [{ ids: ['a', 'b'], cursor: 'c1', next: 'n1', etag: '"e1"' }]
    const besides: Page = { ids: ['c'], cursor: 'c2', next: 'n2' }
    for (const cut of [pages, [...pages, besides]]) {
      expect(await pull([...cut, 'cut'])).toMatchObject({ result: 'unreachable' })
      expect(await state()).toBeUndefined()
    }
    expect(await pull([{ ids: ['a', 'b', 'c'], cursor: 'c4' }])).toMatchObject({ since: [null] })
    expect(await held()).toEqual(['a', 'b', 'c'])
  })

  test('S36: the first page is not the whole list: only what no page has leaves, after the last', async () => {
    await pull([{ ids: ['a', 'b', 'c', 'd', 'old'], cursor: 'c1' }])
    await device.db.pulls.clear()
    await pull([{ ids: ['a', 'b'], cursor: 'c2', next: 'n1' }, 'cut'])
    expect(await held()).toEqual(['a', 'b', 'c', 'd', 'old'])
    await pull([
      { ids: ['a', 'b'], cursor: 'c2', next: 'n1' },
      { ids: ['c'], cursor: 'c3', next: 'n2' },
      { ids: ['d'], cursor: 'c4' },
    ])
    expect(await held()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('S10: all pages of what changed are had, and its first cursor counts', async () => {
    await pull([{ ids: ['a', 'b'], cursor: 'c1' }])
    const changes = await pull([
      { ids: ['c'], removed: ['a'], cursor: 'c2', next: 'n1' },
      { ids: ['d'], removed: ['b'], cursor: 'c3' },
    ])
    expect(changes).toMatchObject({ since: ['c1', 'c1'], after: [null, 'n1'] })
    expect(await held()).toEqual(['c', 'd'])
    expect(await state()).toMatchObject({ cursor: 'c2' })
  })
})

describe('S38: an answer that comes after somebody else has logged in', () => {
  test.each(lists)(
    'leaves nothing of the first, nor for the second: %s',
    async (kind, _, party) => {
      const answers = [{ ids: ['a'], next: 'n1' }, { ids: ['b'] }]
      const context = contextOf(device.db, async () => {
        await signIn(device.db, person('kofi', 'driver', { driverStatus: 'approved' }))
        const { ids = [], next } = answers.shift() ?? {}
        return Response.json({
          deliveries: ids.map((id) => deliveryOf(id, party)),
          cursor: 'c',
          next,
        })
      })
      expect(await pullList(context, { kind }, loadLazy)).toMatchObject({ result: 'not-asked' })
      expect(await device.db.deliveries.count()).toBe(0)
      expect(await device.db.pulls.count()).toBe(0)
    },
  )

  test.each([
    ['me', { user: { ...person('ama', 'user'), name: 'Ama Owusu' }, role: 'user' }],
    ['driverStatus', { status: 'rejected' }],
    ['sessions', { sessions: [] }],
  ])('changes nothing of the second: %s', async (kind, answer) => {
    const kofi = person('kofi', 'driver', { driverStatus: 'approved' })
    const context = contextOf(device.db, async () => {
      await signIn(device.db, kofi)
      return Response.json(answer)
    })
    expect(await pullList(context, { kind }, loadLazy)).toMatchObject({ result: 'not-asked' })
    expect(await device.db.sessions.get('current')).toMatchObject({ account: 'kofi', user: kofi })
    expect(await device.db.pulls.count()).toBe(0)
  })
})
