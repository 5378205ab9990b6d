import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { paths, roomPath } from '#app/paths.ts'

const page = readFileSync(join(import.meta.dirname, '../../src/demo/404.html'), 'utf8')
const [, script = ''] = /<script>(.*?)<\/script>/s.exec(page) ?? []

/** Where the page sends whoever opened this address; nothing when it is no screen's. */
function sentTo(pathname: string, search = ''): string | undefined {
  let to: string | undefined
  const location = {
    ...{ pathname, search },
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
  ...[roomPath('0197f0a2-7a55-7abc-8def-0123456789ab'), `${paths.adminUsers}/0197`],
])('A static host’s 404 page leads %s home, wherever the demo lies', (path) => {
  for (const home of ['', '/demo', '/some/where'])
    expect(sentTo(`${home}${path}`)).toBe(`${home}/?to=${encodeURIComponent(path.slice(1))}`)
})

test('What the address says beside the screen comes along', () => {
  expect(sentTo('/demo/auth', '?tab=signup')).toBe('/demo/?to=auth%3Ftab%3Dsignup')
})

test('What is no screen of the demo stays where it is', () => {
  for (const path of ['/', '/demo/', '/some/where/nothing', '/assets/gone.js'])
    expect(sentTo(path)).toBeUndefined()
})
