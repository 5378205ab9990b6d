import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { CompatData, CompatStatement, Identifier } from '@mdn/browser-compat-data'
import { oldestBrowsers } from '../../../src/build/oldest-browsers.ts'
import { present } from '../present.ts'

const file = createRequire(import.meta.url).resolve('@mdn/browser-compat-data')
const data: CompatData = JSON.parse(readFileSync(file, 'utf8'))

type Version = { version_added: string | boolean | null; flags?: unknown; prefix?: string }
const browsers = { ...oldestBrowsers, ios: undefined }

/** A name that every current browser knows and one of the oldest does not. */
type NewerApi = { owner: string; member?: string; isStatic: boolean }

const parts = (version: string) => version.replace('≤', '').split('.').map(Number)
const isUpTo = (version: string, oldest: string) => {
  const [[major = 0, minor = 0], [most = 0, least = 0]] = [parts(version), parts(oldest)]
  return major < most || (major === most && minor <= least)
}

/** Whether every current browser has it, but one of the oldest not. */
function isNewer({ support }: CompatStatement): boolean {
  const inEach = (suits: (version: string, oldest: string) => boolean) =>
    Object.entries(browsers).every(([browser, oldest]) => {
      const found = [support[browser as 'chrome'] ?? []].flat() as Version[]
      return (
        oldest === undefined ||
        found.some(
          ({ version_added: added, flags, prefix }) =>
            typeof added === 'string' &&
            added !== 'preview' &&
            !flags &&
            !prefix &&
            suits(added, oldest),
        )
      )
    })
  return inEach(() => true) && !inEach(isUpTo)
}

/** Every named part of these features, with its path. */
function* featuresOf(
  features: Identifier,
  path: string[] = [],
): Generator<[path: string[], CompatStatement]> {
  for (const [name, each] of Object.entries(features)) {
    if (name === '__compat') continue
    const found = each as Identifier
    if (found.__compat) yield [[...path, name], found.__compat]
    yield* featuresOf(found, [...path, name])
  }
}

const apis = [...featuresOf(data.api), ...featuresOf(present(data.javascript.builtins))].filter(
  ([path]) =>
    path.length < 3 && path.every((name) => /^\w+$/.test(name) && !name.endsWith('_event')),
)
const nameOf = (member: string) => member.replace(/_static$/, '')

/** The names of the members that some object of the oldest browsers has. */
const known = new Set(
  apis.flatMap(([[, member], compat]) => (member && !isNewer(compat) ? [nameOf(member)] : [])),
)

/** Of every built-in object, and of every Web API. */
const newerApis: NewerApi[] = apis
  .filter(([, compat]) => isNewer(compat))
  .map(([[owner = '', member]]) => ({
    owner,
    member: member && nameOf(member),
    isStatic: member?.endsWith('_static') ?? false,
  }))

const newerOwners = new Set(newerApis.filter(({ member }) => !member).map(({ owner }) => owner))

/**
 * The newer names that a script mentions. A member whose name an older object has as well cannot be told from that one;
 * the end-to-end tests of the project `oldest` run without it.
 */
export function newerApisIn(script: string): string[] {
  const words = new Set(script.match(/[\w$]+/g))
  const members = new Set([...script.matchAll(/\.([\w$]+)/g)].map(([, name]) => name))
  const isMentioned = ({ owner, member, isStatic }: NewerApi) => {
    if (!member) return words.has(owner)
    if (newerOwners.has(owner)) return false
    return isStatic
      ? script.includes(`${owner}.${member}`)
      : members.has(member) && !known.has(member)
  }
  const names = newerApis
    .filter(isMentioned)
    .map(({ owner, member, isStatic }) => (isStatic ? `${owner}.${member}` : (member ?? owner)))
  return [...new Set(names)].sort()
}

/**
 * Statements that take from a page or a worker, whichever they run in, the newer APIs that this script may mean; of each
 * object the members first. The others are left: Playwright uses some. So are popovers: a browser that knows the attribute
 * hides what nothing opens.
 */
export function removalFor(script: string): string {
  const words = new Set(script.match(/[\w$]+/g))
  const removed = newerApis
    .filter(({ owner, member = owner }) => words.has(member) && !/popover$/i.test(member))
    .toReversed()
  return `for (const { owner, member, isStatic } of ${JSON.stringify(removed)}) {
  const object = globalThis[owner]
  const from = !member || owner === 'Window' ? globalThis : isStatic ? object : (object?.prototype ?? object)
  if (from) Reflect.deleteProperty(from, member ?? owner)
}
`
}

/** The newer at-rules, properties, pseudo-classes, functions and units that a stylesheet has, outside of `@supports`. */
export function newerStylesIn(styles: string): string[] {
  const features = [...featuresOf(data.css)]
    .filter(([path, compat]) => path.length <= 5 && isNewer(compat))
    .map(([path]) => path)
  const named = (group: string) =>
    features.filter((path) => path[0] === group && path.length === 2).map(([, name]) => name)
  const text = styles.replace(/@supports[^{]*\{(?:[^{}]*\{[^{}]*\})*\}/g, '')
  const functions = features.filter(([group]) => group === 'types').map((path) => path.at(-1))
  const all = [
    ...named('at-rules').map((name) => [`@${name}`, `@${name}\\b`]),
    ...named('properties').map((name) => [name, `[;{]${name}:`]),
    ...named('selectors').map((name) => [`:${name}`, `:${name}(?![\\w-])`]),
    ...functions.map((name) => [`${name}()`, `\\b${name}\\(`]),
    ['dvh', '\\d[dls]v[hwib]\\b'],
  ] as [string, string][]
  return all.filter(([, pattern]) => new RegExp(pattern).test(text)).map(([name]) => name)
}
