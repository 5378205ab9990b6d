import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { paths, roomPath } from '#app/paths.ts'

const page = readFileSync(join(import.meta.dirname, '../../src/demo/404.html'), 'utf8')
const [, script = ''] = /<script>(.*?)<\/script>/s.exec(page) ?? []

/** The address to which the page redirects; nothing when the path is no screen's. */
function redirectOf(pathname: string, search = ''): string | undefined {
  let to: string | undefined
  const location = {
    pathname,
    search,
    replace: (url: string) => {
      to = url
    },
  }
  runInNewContext(script, { location, encodeURIComponent })
  return to
}

const screens = Object.values(paths).filter((path) => path !== '/' && path !== paths.room)

test.each([
  ...screens,
  roomPath('0197f0a2-7a55-7abc-8def-0123456789ab'),
  `${paths.adminUsers}/0197`,
])('The 404 page redirects %s to the demo’s first page, below any path', (path) => {
  for (const home of ['', '/demo', '/some/where'])
    expect(redirectOf(`${home}${path}`)).toBe(`${home}/?to=${encodeURIComponent(path.slice(1))}`)
})

test('The 404 page keeps the query of the address', () => {
  expect(redirectOf('/demo/auth', '?tab=signup')).toBe('/demo/?to=auth%3Ftab%3Dsignup')
})

test('The 404 page does not redirect an address that is no screen', () => {
  for (const path of ['/', '/demo/', '/some/where/nothing', '/assets/gone.js'])
    expect(redirectOf(path)).toBeUndefined()
})
