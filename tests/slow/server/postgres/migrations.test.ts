import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

/* `npm run migrations` over a copy of the tables: drizzle-kit compares them with the last snapshot. */

const project = join(import.meta.dirname, '../../../..')
const source = join(project, 'src/server/postgres')
let copy: string
beforeAll(() => {
  // Inside the project, so that the copied tables can import packages and the domain.
  const folder = join(project, 'test-results')
  mkdirSync(folder, { recursive: true })
  copy = mkdtempSync(join(folder, 'migrations-'))
  for (const name of ['tables', 'tables.ts', 'migrations'])
    cpSync(join(source, name), join(copy, name), { recursive: true })
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

const numbers = () =>
  readdirSync(join(copy, 'migrations'))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.slice(0, 4))
    .sort()

const generate = () =>
  promisify(execFile)(
    process.execPath,
    [
      join(project, 'node_modules/drizzle-kit/bin.cjs'),
      'generate',
      '--dialect=postgresql',
      `--schema=./${join(copy, 'tables.ts').slice(project.length + 1)}`,
      `--out=./${join(copy, 'migrations').slice(project.length + 1)}`,
    ],
    { cwd: project },
  )

test('unchanged tables give no migration, a new column gives the next numbered one', async () => {
  const before = numbers()
  expect((await generate()).stdout).toContain('No schema changes')
  expect(numbers()).toEqual(before)

  const file = join(copy, 'tables/records.ts')
  const text = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    text.replace("value: text('value')", "note: text('note'),\n  value: text('value')"),
  )
  await generate()
  const next = String(before.length).padStart(4, '0')
  expect(numbers()).toEqual([...before, next])
  const made = readdirSync(join(copy, 'migrations')).find((name) => name.startsWith(next)) ?? ''
  expect(readFileSync(join(copy, 'migrations', made), 'utf8')).toContain(
    'ALTER TABLE "settings" ADD COLUMN "note" text',
  )
})
