import { describe, expect, test } from 'vitest'
import { requestKind } from '../../sw/requests.ts'

const origin = 'https://soma.example'
const ask = (path: string, mode: RequestMode = 'no-cors', method = 'GET', headers = {}) =>
  requestKind(
    { method, mode, url: new URL(path, origin).href, headers: new Headers(headers) },
    new URL(origin),
  )

describe('How the service worker answers', () => {
  test.each(['/', '/send', '/delivery/0197', '/admin/settings', '/drive?from=Osu'])(
    'a navigation to %s gets the app’s page',
    (path) => expect(ask(path, 'navigate')).toBe('page'),
  )

  test.each(['/assets/react-U_04mbi0.js', '/manifest.webmanifest', '/icons/soma.svg'])(
    '%s is a file of the app',
    (path) => expect(ask(path)).toBe('file'),
  )

  test.each(['/api/images/ab12.jpg', 'http://127.0.0.1:8080/api/images/ab12.jpg'])(
    '%s is a photo, on any origin',
    (url) => expect(ask(url)).toBe('image'),
  )

  test.each(['/', '/assets/react-U_04mbi0.js', '/api/images/ab12.jpg', '/api/images/id/ab12.jpg'])(
    '%s with a token is left to the network',
    (path) => expect(ask(path, 'cors', 'GET', { Authorization: 'Bearer x' })).toBeUndefined(),
  )

  test.each([
    '/api/zones',
    '/api/deliveries/1',
    '/api/events',
    '/healthz',
    '/readyz',
    '/metrics',
    '/demo/',
    '/demo/send',
    '/demo/assets/app.js',
    'https://elsewhere.example/assets/app.js',
  ])('%s is left to the network', (path) => {
    expect(ask(path, 'cors')).toBeUndefined()
    expect(ask(path, 'navigate')).toBeUndefined()
  })

  test('requests other than GET are left to the network', () => {
    for (const method of ['POST', 'PATCH', 'DELETE', 'HEAD'])
      expect(ask('/api/images/upload', 'cors', method)).toBeUndefined()
  })

  test('paths beside an app that is below another path are left to the network', () => {
    const scope = new URL('https://soma.example/some/where/')
    const kind = (url: string, mode: RequestMode) =>
      requestKind(
        { method: 'GET', mode, url: new URL(url, scope).href, headers: new Headers() },
        scope,
      )
    expect(kind('', 'navigate')).toBe('page')
    expect(kind('admin/users', 'navigate')).toBe('page')
    expect(kind('assets/app.js', 'cors')).toBe('file')
    expect(kind('../beside', 'navigate')).toBeUndefined()
    expect(kind('/assets/app.js', 'cors')).toBeUndefined()
  })
})
