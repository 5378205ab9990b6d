import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { markPure } from '../../../src/server/launch/shaken-router.ts'

const folder = join(import.meta.dirname, '../../../node_modules/react-router/dist/production')

test('the installed React Router has the calls that the plugin marks as pure, and no other line changes', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.mjs'))
  let contexts = 0
  for (const name of files) {
    const code = readFileSync(join(folder, name), 'utf8')
    const pure = markPure(code)
    contexts +=
      pure.split('/* @__PURE__ */ React').length - code.split('/* @__PURE__ */ React').length
    const undone = pure.replaceAll('= /* @__PURE__ */ React', '= React')
    const named = code.replace(/^\w+\.displayName = "[^"]*";$/gm, '')
    expect(undone).toBe(named.replaceAll('= /* @__PURE__ */ React', '= React'))
  }
  expect(contexts).toBeGreaterThan(5)
})
