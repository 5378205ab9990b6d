import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { cyclesIn } from './helpers/sources/import-cycles.ts'
import { read } from './helpers/sources/imports.ts'

const root = join(import.meta.dirname, '..')

test('no file in src, sw or tests imports itself through others, type imports included', () => {
  const graph = importGraph()
  expect(graph.size).toBeGreaterThan(300)
  expect(cyclesIn(graph).map((files) => files.join(' → '))).toEqual([])
})

test('cycles of one, two and three files are found, each once', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['a', 'd']],
    ['d', ['e']],
    ['e', ['d']],
    ['f', ['f']],
    ['g', ['a', 'f']],
  ])
  expect(cyclesIn(graph)).toEqual([
    ['a', 'b', 'c', 'a'],
    ['d', 'e', 'd'],
    ['f', 'f'],
  ])
})

/** Every source file with the files it imports; paths from the project's folder. */
function importGraph(): Map<string, string[]> {
  const files = ['src', 'sw', 'tests'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|mjs)$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  )
  return new Map(files.map((file) => [file, importsOf(file)]))
}

function importsOf(file: string): string[] {
  return read(file, readFileSync(join(root, file), 'utf8'))
    .imports.filter((to) => /^[.#]/.test(to))
    .map((to) => (to.startsWith('#') ? join('src', to.slice(1)) : join(dirname(file), to)))
    .filter((target) => existsSync(join(root, target)))
}
