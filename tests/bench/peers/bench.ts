import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, expect, type Page, test } from '@playwright/test'
import { pages } from './bundles.ts'
import { type Effects, together } from './effects.ts'
import { type PeersServer, startPeersServer } from './server.ts'

/** Pairs of runs, each in a fresh profile on disk. */
export const runs = Number(process.env.BENCH_RUNS ?? 7)

export type Name = 'ours' | 'tanstack' | 'rxdb' | 'workbox'

export type Side = {
  name: Name
  /** A function of that side's page, and what it is called with. */
  call: string
  args?: unknown[]
  /** What every write of that page asks of the disk, whatever the library asks; left out: as shipped. */
  durability?: 'strict'
  /** How many things are to happen on the server. */
  wanted?: number
}

export type Run = { ms: number; effects?: Effects }

type ServerState = Parameters<PeersServer['reset']>[0]

/** A server for all tests of a file, with every page on it. */
export function peersServer(): () => PeersServer {
  let server: PeersServer | undefined
  test.beforeAll(async () => {
    server = await startedServer()
  })
  test.afterAll(() => server?.close())
  return () => {
    if (!server) throw new Error('The server stands only inside a test.')
    return server
  }
}

let built: ReturnType<typeof pages> | undefined

/** A server with every page on it; the pages are built once. */
export async function startedServer(): Promise<PeersServer> {
  built ??= pages()
  const server = await startPeersServer()
  for (const [path, file] of await built) server.files.set(path, file)
  return server
}

/** Runs both sides in turn, so that what else the machine does meets both; each begins every second pair. */
export async function inTurn(
  server: PeersServer,
  state: ServerState,
  ...sides: Side[]
): Promise<Run[][]> {
  const found: Run[][] = sides.map(() => [])
  for (let pair = 0; pair < runs; pair++)
    for (let turn = 0; turn < sides.length; turn++) {
      const index = (turn + pair) % sides.length
      const side = sides[index]
      if (side) found[index]?.push(await once(server, state, side))
    }
  return found
}

/** One run on a server that has begun anew. */
export async function once(server: PeersServer, state: ServerState, side: Side): Promise<Run> {
  server.reset(state)
  const ms = await inFreshProfile(async (context) =>
    called(await open(context, server.origin, side), side.call, ...(side.args ?? [])),
  )
  const effects = side.wanted === undefined ? undefined : server.effects(side.wanted)
  // A peer's wrong effects stand beside its time; one of ours is a fault.
  if (side.name === 'ours' && effects) expect(effects).toMatchObject(allWell)
  return { ms, effects }
}

const allWell = { duplicates: 0, lost: 0, early: 0 }

/**
 * A profile on disk, thrown away afterwards: a browser's private contexts keep their databases in
 * memory, where nothing is durable.
 */
export async function inFreshProfile<T>(work: (context: BrowserContext) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'soma-bench-'))
  const { launchOptions } = test.info().project.use
  const context = await chromium.launchPersistentContext(folder, {
    ...launchOptions,
    ignoreHTTPSErrors: true,
  })
  try {
    return await work(context)
  } finally {
    await context.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** A tab that has that side's functions. */
export async function open(
  context: BrowserContext,
  origin: string,
  { name, durability }: Pick<Side, 'name' | 'durability'>,
): Promise<Page> {
  const page = await context.newPage()
  page.on('pageerror', (error) => process.stdout.write(`${name}: ${error}\n`))
  await page.goto(`${origin}/${durability ? `?durability=${durability}` : ''}`)
  await page.addScriptTag({ url: `/${name}.js`, type: 'module' })
  await page.waitForFunction(() => 'bench' in globalThis)
  return page
}

type Bench = Record<string, (...args: unknown[]) => Promise<number>>

/** Calls one of a page's functions. */
export const called = (page: Page, name: string, ...args: unknown[]): Promise<number> =>
  page.evaluate(
    ([work, given]) =>
      (globalThis as unknown as { bench: Bench }).bench[work as string]?.(
        ...(given as unknown[]),
      ) ?? Number.NaN,
    [name, args],
  )

export const effectsOf = (found: Run[]): Effects | undefined => {
  const all = found.flatMap(({ effects }) => effects ?? [])
  return all.length > 0 ? together(all) : undefined
}
