import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, expect, type Page, test } from '@playwright/test'
import { pages } from './bundles.ts'
import { type Effects, together } from './effects.ts'
import { type PeersServer, startPeersServer } from './server.ts'

/** Pairs of runs at most, each in a fresh profile on disk. */
export const runs = Number(process.env.BENCH_RUNS ?? 3)
/** Two pairs are enough where their ratios differ by less than this share. */
const agreement = 0.1

export type Name = 'ours' | 'tanstack' | 'rxdb' | 'workbox'

export type Side = {
  name: Name
  /** A function of that side's page; `args` are its arguments. */
  call: string
  args?: unknown[]
  /** The durability of every write of that page; undefined: what the library asks for. */
  durability?: 'strict'
  /** The number of effects expected on the server. */
  expected?: number
}

export type Run = { ms: number; effects?: Effects }

type ServerState = Parameters<PeersServer['reset']>[0]

/** Starts a server with every page for all tests of a file. */
export function peersServer(): () => PeersServer {
  let server: PeersServer | undefined
  test.beforeAll(async () => {
    server = await startedServer()
  })
  test.afterAll(() => server?.close())
  return () => {
    if (!server) throw new Error('The server is only available inside a test.')
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

/**
 * Runs all sides in turn, so that other load on the machine affects each; another one is first in every round. Ends
 * before `runs` where the ratios to the first side agree.
 */
export async function inTurn(
  server: PeersServer,
  state: ServerState,
  ...sides: Side[]
): Promise<Run[][]> {
  const found: Run[][] = sides.map(() => [])
  for (let pair = 0; pair < runs && !agree(found); pair++)
    for (let turn = 0; turn < sides.length; turn++) {
      const index = (turn + pair) % sides.length
      const side = sides[index]
      if (side) found[index]?.push(await once(server, state, side))
    }
  return found
}

function agree([ours = [], ...others]: Run[][]): boolean {
  const ratios = others.map((theirs) => ours.map(({ ms }, pair) => ms / (theirs[pair]?.ms ?? 0)))
  return (
    ours.length > 1 && ratios.every((all) => Math.max(...all) < Math.min(...all) * (1 + agreement))
  )
}

/** One run on a server whose state was cleared. */
export async function once(server: PeersServer, state: ServerState, side: Side): Promise<Run> {
  server.reset(state)
  const ms = await inFreshProfile(async (context) =>
    called(await open(context, server.origin, side), side.call, ...(side.args ?? [])),
  )
  const effects = side.expected === undefined ? undefined : server.effects(side.expected)
  // A peer's wrong effects are printed beside its time; ours fail the benchmark.
  if (side.name === 'ours' && effects) expect(effects).toMatchObject(allWell)
  return { ms, effects }
}

const allWell = { duplicates: 0, lost: 0, early: 0 }

/**
 * Runs `work` in a browser profile on disk, deleted afterwards: private contexts keep their databases in
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

/** Opens a tab with that side's functions. */
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
