import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { placesToAnswer, withoutUnused } from '../../../src/server/launch/shaken-react.ts'

const code = readFileSync(
  join(import.meta.dirname, '../../../node_modules/react-dom/cjs/react-dom-client.production.js'),
  'utf8',
)
const shaken = withoutUnused(code)

test('the installed React DOM has every place that the plugin answers', () => {
  expect(placesToAnswer(code)).toBe(8)
})

test('hydration and view transitions are gone, and everything else is there', () => {
  expect(parseSync('react-dom.js', shaken).errors).toEqual([])
  expect(shaken).toContain('exports.createRoot = function')
  expect(shaken).not.toContain('exports.hydrateRoot')
  expect(shaken).not.toContain('isHydrating = !0')
  expect(shaken).not.toMatch(/^ +case 30:$/m)
  const others = /^ +case (?!30:)\d+:$/gm
  expect(shaken.match(others)).toEqual(code.match(others))
  const functions = /^function \w+/gm
  expect(shaken.match(functions)).toEqual(code.match(functions))
})
