import { afterEach, describe, expect, test, vi } from 'vitest'

type Shown = { title: string; body?: string; tag?: string; data: { navigate: string } }

const id = '019a0000-0000-7000-8000-000000000000'
const notification = {
  title: 'Yaw picked up Laptop',
  body: 'Share the delivery code with Esi only.',
  navigate: `https://soma.example/delivery/${id}`,
  tag: 'a1b2c3d4',
  data: id,
}

/** The worker's push module with what it uses of the browser. */
async function worker({ hasBadge = true } = {}) {
  vi.resetModules()
  const shown: Shown[] = []
  const fetched: { url: string; body: unknown }[] = []
  const badges: number[] = []
  vi.stubGlobal('__DEMO__', false)
  vi.stubGlobal('self', {
    registration: {
      scope: 'https://soma.example/',
      showNotification: async (title: string, options: object) =>
        void shown.push({ title, ...options } as Shown),
      getNotifications: async () => {
        if (!hasBadge) throw new Error('not here')
        return shown
      },
    },
    navigator: {
      setAppBadge: async (count: number) => void badges.push(count),
      clearAppBadge: async () => void badges.push(0),
    },
  })
  vi.stubGlobal('fetch', async (url: URL, { body }: { body: string }) => {
    fetched.push({ url: url.href, body: JSON.parse(body) })
    return new Response()
  })
  return { shown, fetched, badges, ...(await import('../../sw/push.ts')) }
}

const dataOf = (value: unknown) =>
  ({ json: () => JSON.parse(typeof value === 'string' ? value : JSON.stringify(value)) }) as never
const json = { web_push: 8030, notification, mutable: true }

afterEach(() => vi.unstubAllGlobals())

describe('R116: the worker shows the message', () => {
  test.each([
    ['from the data of the push', { data: dataOf(json) }],
    [
      'from the notification that Declarative Web Push gives in its place',
      {
        data: null,
        notification,
      },
    ],
    [
      'of the notification where both are given',
      {
        data: dataOf({ notification: { title: 'Other', navigate: 'https://soma.example/' } }),
        notification,
      },
    ],
  ])('%s, and confirms it', async (_, event) => {
    const { showPush, shown, fetched, badges } = await worker()
    await showPush(event)
    expect(shown).toMatchObject([
      {
        title: notification.title,
        body: notification.body,
        tag: notification.tag,
        data: { navigate: notification.navigate },
      },
    ])
    expect(fetched).toEqual([
      { url: 'https://soma.example/api/notifications/receipts', body: { id } },
    ])
    expect(badges).toEqual([1])
  })

  test('without data, tag and body as Declarative Web Push gives them, and confirms nothing', async () => {
    const { showPush, shown, fetched } = await worker()
    const { title, navigate } = notification
    await showPush({ data: null, notification: { title, navigate, body: '', tag: '' } })
    await showPush({ data: null, notification: { title, navigate, data: null as never } })
    expect(shown.map(({ tag }) => tag)).toEqual([undefined, undefined])
    expect(fetched).toEqual([])
  })

  test.each([
    ['nothing', null],
    ['no JSON', 'hello'],
    ['null', 'null'],
    ['no notification', {}],
    ['a title that is none', { notification: { title: 7, navigate: 'https://soma.example/' } }],
  ])('says that there is news where it holds %s', async (_, data) => {
    const { showPush, shown } = await worker()
    await showPush({ data: data === null ? null : dataOf(data) })
    expect(shown).toMatchObject([{ title: 'Soma', data: { navigate: 'https://soma.example/' } }])
  })

  test('R119: an icon that cannot count keeps no message unconfirmed', async () => {
    const { showPush, fetched } = await worker({ hasBadge: false })
    await showPush({ data: dataOf(json) })
    expect(fetched).toHaveLength(1)
  })
})

describe('a tap', () => {
  test.each([
    ['a delivery', `https://soma.example/delivery/${id}`, `https://soma.example/delivery/${id}`],
    ['another host', 'https://evil.example/delivery/1?x#y', 'https://soma.example/delivery/1?x#y'],
    ['a script', 'javascript:alert(1)', 'https://soma.example/alert(1)'],
    ['nothing', undefined, 'https://soma.example/'],
  ])('on %s opens an address of the app', async (_, navigate, opened) => {
    const { openPush } = await worker()
    const openWindow = vi.fn()
    Object.assign(self, { clients: { matchAll: async () => [], openWindow } })
    await openPush({ close: () => {}, data: { navigate } } as never)
    expect(openWindow).toHaveBeenCalledWith(opened)
  })
})
