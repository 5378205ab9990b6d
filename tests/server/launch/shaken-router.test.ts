import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { markPure, withoutDataRouter } from '../../../src/server/launch/shaken-router.ts'

const folder = join(import.meta.dirname, '../../../node_modules/react-router/dist/production')
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.mjs'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))
const count = (text: string, part: string) => text.split(part).length - 1

test('the installed React Router has the calls that the plugin marks as pure, and no other line changes', () => {
  let contexts = 0
  let classes = 0
  for (const code of files) {
    const pure = markPure(code)
    contexts += count(pure, '/* @__PURE__ */ React') - count(code, '/* @__PURE__ */ React')
    classes += count(pure, '/* @__PURE__ */ (() => class')
    const undone = pure
      .replaceAll('= /* @__PURE__ */ React', '= React')
      .replace(/\/\* @__PURE__ \*\/ \(\(\) => (class[\s\S]*?^\})\)\(\);/gm, '$1;')
    const named = code.replace(
      /^\w+\.(displayName = "[^"]*"|contextType = RSCRouterContext);$/gm,
      '',
    )
    expect(undone).toBe(named.replaceAll('= /* @__PURE__ */ React', '= React'))
  }
  expect(contexts).toBeGreaterThan(5)
  expect(classes).toBeGreaterThan(2)
})

test('the installed React Router asks for no data router any more', () => {
  const changed = files.map((code) => withoutDataRouter(code)).join('')
  expect(changed).toContain('[shouldPrefetch, prefetchRef, prefetchHandlers] = [false, null, {}];')
  expect(changed).toMatch(/return link;\n/)
  expect(changed).toContain('return useNavigateUnstable();')
  expect(changed).not.toContain('dataRouterOpts?.state')
})
