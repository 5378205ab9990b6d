import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { withoutUnused } from '../../../src/server/launch/shaken-react.ts'

const packages = join(import.meta.dirname, '../../../node_modules')
const biome = join(packages, '@biomejs/biome/bin/biome')
const code = readFileSync(
  join(import.meta.dirname, '../../../node_modules/react-dom/cjs/react-dom-client.production.js'),
  'utf8',
)
const shaken = withoutUnused(code)

test('hydration and the unused kinds of nodes are gone, and everything else is there', () => {
  expect(parseSync('react-dom.js', shaken).errors).toEqual([])
  expect(shaken).toContain('exports.createRoot = function')
  expect(shaken).not.toContain('exports.hydrateRoot')
  expect(shaken).not.toContain('isHydrating = !0')
  expect(shaken).not.toMatch(/\b(26|27|30|31) [!=]== \w/)
  const used = /^ +case (?!(?:26|27|30|31):)\d+:$/gm
  expect(shaken.match(used)).toEqual(code.match(used))
  const functions = /^function \w+/gm
  expect(shaken.match(functions)).toEqual(code.match(functions))
})

test('no name is lost: everything that is read is declared, or of the browser', () => {
  const known = undeclared(code)
  expect(undeclared(shaken)).toEqual(known)
  expect(undeclared(`${shaken}; lost()`)).toEqual([...known, 'lost'])
})

/** Names that a program reads, does not declare and that no browser has. */
function undeclared(source: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'soma-react-'))
  writeFileSync(join(folder, 'react-dom.js'), source)
  const rule = ['--only=correctness/noUndeclaredVariables', '--reporter=json']
  const { stdout } = spawnSync(
    process.execPath,
    [biome, 'lint', ...rule, '--max-diagnostics=none', 'react-dom.js'],
    { cwd: folder, encoding: 'utf8' },
  )
  rmSync(folder, { recursive: true })
  const { diagnostics }: { diagnostics: { message: string }[] } = JSON.parse(stdout)
  return diagnostics.map(({ message }) => /The (\S+) variable/.exec(message)?.[1] ?? message)
}

test('a case goes with its statements where nothing runs into it, and else only where it has none', () => {
  const unused = (cases: string) => withoutUnused(`switch (node.tag) {${cases}}`).replace(/\s/g, '')
  expect(unused('case 5: a(); break; case 26: b(); case 27: c(); break; case 6: d()')).toBe(
    'switch(node.tag){case5:a();break;case6:d()}',
  )
  expect(unused('case 5: a(); case 26: b(); break; case 6: d()')).toBe(
    'switch(node.tag){case5:a();case26:b();break;case6:d()}',
  )
  expect(unused('case 5: a(); case 26: case 6: d()')).toBe('switch(node.tag){case5:a();case6:d()}')
  const declares = 'function f() {switch (node.tag) {case 26: var a = 1, b; break; case 5: a = 2}}'
  expect(withoutUnused(declares)).toBe('function f() {var a, b;switch (node.tag) { case 5: a = 2}}')
  expect(withoutUnused('switch (key) { case 27: close() }')).toContain('case 27: close()')
  expect(withoutUnused('if (26 === node.tag || 5 !== node.tag) a()')).toBe(
    'if (!1 || 5 !== node.tag) a()',
  )
})
