import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allChanges } from './list.mjs'

const root = join(import.meta.dirname, '../..')
const changes = allChanges()

test('there are at least 150 changes, each of a line that stands once in its file', () => {
  expect(changes.length).toBeGreaterThanOrEqual(150)
  const wrong = changes.flatMap(({ file, original, changed, group, line }) => {
    const source = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : ''
    const found = source.split(original).length - 1
    return found === 1 && original !== changed ? [] : [`${group}:${line} ${file} (${found} times)`]
  })
  expect(wrong).toEqual([])
})

test('no change is listed twice', () => {
  const texts = changes.map(({ file, original, changed }) => `${file}\n${original}\n${changed}`)
  expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([])
})
