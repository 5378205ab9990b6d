import { dirname, join } from 'node:path'
import { parseSync, Visitor } from 'vite'

/*
 * Which folder of the code may import which. A folder may import those under `may` and, of packages,
 * those under `only`, or all but those under `never`. It must not use the identifiers under `forbidden`.
 */
type Layer = { may: string[]; only?: string[]; never?: string[]; forbidden?: string[] }

const react = ['react', 'react-dom', 'react-router-dom', 'radix-ui', 'sonner', 'zustand']
/** Ways to reach the server; in the client only `sync` and `contract` use them. */
const networkApis = ['fetch', 'XMLHttpRequest', 'EventSource', 'WebSocket', 'sendBeacon']
const impure = ['fetch', 'Date.now', 'new Date()', 'Math.random', 'performance', 'crypto']

const layers: Record<string, Layer> = {
  'src/domain': { may: [], only: ['zod/mini'], forbidden: [...networkApis, ...impure] },
  // What both sides know of each operation: no I/O.
  'src/operations': { may: ['domain'], only: ['zod/mini'], forbidden: [...networkApis, ...impure] },
  'src/contract': {
    may: ['domain', 'operations'],
    only: ['zod/mini'],
    forbidden: ['XMLHttpRequest', 'EventSource'],
  },
  'src/server': { may: ['domain', 'operations', 'contract'], never: react },
  // The engine knows no product. Of the layers below it takes what every product has: how a failure of a call is
  // told from a refusal, how a request is carried, and the build of the app.
  'src/sync': {
    may: [
      'domain/errors.ts',
      'contract/wire-errors.ts',
      'contract/transport.ts',
      'contract/version.ts',
    ],
    never: react,
  },
  // The product's data on the phone; it reaches the server by the engine's transport.
  'src/store': {
    may: ['domain', 'operations', 'contract', 'sync'],
    never: react,
    forbidden: networkApis,
  },
  'src/app': {
    may: ['domain', 'operations', 'store', 'sync', 'scan'],
    never: ['dexie', 'hono', 'pg', 'drizzle-orm'],
    forbidden: networkApis,
  },
  // The QR scanner: it knows no screen.
  'src/scan': { may: ['sync/database/device/diagnostics.ts'], only: ['qr/decode.js'] },
  // The recipient's page: small, so it takes nothing but rules.
  'src/recipient': { may: ['domain'], only: ['qr'] },
  // Runs the app and the server in one page. Only `src/main.tsx` imports it.
  'src/demo': { may: ['domain', 'operations', 'contract', 'store', 'sync', 'app', 'server'] },
  sw: { may: ['store/worker.ts'], only: [] },
}

/** Entry points; they may import any folder. */
const entryPoints = ['src/main.tsx', 'src/server/node/main.ts']
/** The one file of the app that may import Dexie's React hooks; no other file of it imports Dexie. */
const liveQueries = { file: 'src/app/hooks/use-live.ts', package: 'dexie-react-hooks' }

/** One line for each forbidden import or identifier of a file; `path` is relative to the project's folder. */
export function faultsOf(path: string, source: string): string[] {
  const name = Object.keys(layers).find((each) => path.startsWith(`${each}/`))
  const layer = name === undefined ? undefined : layers[name]
  const { imports, words } = read(path, source)
  const faults = imports.flatMap((to) => wrongForm(path, name, to))
  if (!layer || !name || entryPoints.includes(path)) return faults
  for (const to of imports) {
    if (to.startsWith('#') && !layer.may.some((each) => isIn(to.slice(1), each)))
      faults.push(`imports ${to}, which is not below ${name}`)
    if (!/^[.#]/.test(to) && !isAllowed(path, layer, to)) faults.push(`imports ${to}`)
  }
  for (const word of words) if (layer.forbidden?.includes(word)) faults.push(`says ${word}`)
  return faults
}

/** Every module that a file imports, types too; `values`: those it takes more than types from; every identifier it uses. */
export function read(
  path: string,
  source: string,
): { imports: string[]; values: string[]; words: string[] } {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const imports: string[] = []
  const values: string[] = []
  const words: string[] = []
  const from = (node: { source?: unknown }) => {
    const found = literal(node.source)
    if (found !== undefined) imports.push(found)
  }
  new Visitor({
    ImportDeclaration(node) {
      from(node)
      const isType = (each: { importKind?: string }) => each.importKind === 'type'
      const named = node.specifiers as { importKind?: string }[]
      if (!isType(node) && (named.length === 0 || !named.every(isType)))
        values.push(node.source.value)
    },
    ExportNamedDeclaration: from,
    ExportAllDeclaration: from,
    ImportExpression: from,
    TSImportType: from,
    Identifier(node) {
      words.push(node.name)
    },
    MemberExpression(node) {
      const { object, property } = node
      if (object.type === 'Identifier' && property.type === 'Identifier')
        words.push(`${object.name}.${property.name}`)
    },
    NewExpression(node) {
      if (node.callee.type === 'Identifier' && node.arguments.length === 0)
        words.push(`new ${node.callee.name}()`)
    },
  }).visit(program)
  return { imports, values, words }
}

/** Imports inside a folder are relative, across folders they begin with #; both name the file's extension. */
function wrongForm(path: string, layer: string | undefined, to: string): string[] {
  if (to.startsWith('#')) {
    const inside = layer?.startsWith('src/') && isIn(to.slice(1), layer.slice('src/'.length))
    return inside ? [`imports ${to} of its own layer by #`] : ending(to)
  }
  if (!to.startsWith('.')) return []
  const target = join(dirname(path), to)
  const leaves = layer !== undefined && !isIn(target, layer)
  if (leaves) return [`leaves its layer by ${to}`]
  return ending(to)
}

const ending = (to: string) =>
  /\.[a-z]+(\?inline)?$/.test(to) ? [] : [`imports ${to} without its ending`]

function isAllowed(path: string, layer: Layer, to: string): boolean {
  if (to === liveQueries.package) return path === liveQueries.file
  if (layer.only) return layer.only.includes(to)
  return !layer.never?.some((each) => isIn(to, each))
}

const isIn = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

function literal(node: unknown): string | undefined {
  if (typeof node !== 'object' || node === null || !('value' in node)) return undefined
  return typeof node.value === 'string' ? node.value : undefined
}
