/*
 * `npm run mutants [group or part of a path]` makes one change after another to the engine's sources, in
 * memory, and runs the unit tests until one notices it: those that noticed changes of the same source, the
 * tests nearest to it, then, for the phone's sources, its other tests, the random scenarios last. Prints each
 * change that no test notices; fails when fewer than 95 % are noticed, or when one that is not says nothing
 * of why.
 * `MUTANTS_EVERY=5` makes every fifth change of the list only, from the first on or from `MUTANTS_FROM`, 0 to 4.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ready, root } from '../../src/server/launch/ready.mjs'

/** Of the changes that are no equivalent ones. */
const leastNoticed = 0.95
/** So many of the files that noticed changes of the same source are tried first. */
const mostKnown = 3

await ready()
const { allChanges, groups } = await import('./list.mjs')
const { createRunner } = await import('./runner.mjs')
const runner = await createRunner()
const random = await runner.filesUnder(['tests/sync/model/model-'])
const ofPhone = (await runner.filesUnder(['tests/store', 'tests/sync'])).filter(
  (file) => !random.includes(file) && !file.includes('/model/mutations'),
)
/** Test files that pass with nothing changed; others notice nothing. @type {Map<string, boolean>} */
const sound = new Map()
/** By source: the test files that noticed its changes, the last one first. @type {Map<string, string[]>} */
const knownFor = new Map()

/** @typedef {import('./list.mjs').Mutant} Mutant */
const asked = process.argv[2] ?? ''
/** One change of so many is made: all of them take hours. */
const every = Number(process.env.MUTANTS_EVERY ?? 1)
const from = Number(process.env.MUTANTS_FROM ?? 0)
const mutants = allChanges()
  .filter(({ group, file, line }) => `${group}:${line} ${file}`.includes(asked))
  .filter((_, at) => at % every === from)
/** @type {Mutant[]} */
const unnoticed = []
for (const [at, mutant] of mutants.entries()) {
  const startedAt = performance.now()
  const by = await noticedBy(mutant)
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  if (!by) unnoticed.push(mutant)
  const where = `${mutant.group}:${mutant.line} ${mutant.file}`
  console.log(`${at + 1}/${mutants.length} ${where}: ${by ? by : 'NOT NOTICED'} (${seconds} s)`)
}
await runner.close()

const argued = unnoticed.filter(({ because }) => because)
const open = unnoticed.filter(({ because }) => !because)
const noticed = mutants.length - unnoticed.length
const share = noticed / (mutants.length - argued.length || 1)
const summary = `${noticed} of ${mutants.length} noticed, ${argued.length} equivalent, ${open.length} open: ${(share * 100).toFixed(1)} %`
const folder = join(process.env.DATA_DIR ?? join(root, 'data'), 'mutants')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'mutants.json'), `${JSON.stringify({ summary, unnoticed }, null, 2)}\n`)
for (const mutant of [...argued, ...open]) console.log(`\n${textOf(mutant)}`)
console.log(`\n${summary}`)
process.exitCode = share >= leastNoticed ? 0 : 1

/**
 * The test file that notices the change; nothing when none does.
 * @param {Mutant} mutant
 */
async function noticedBy(mutant) {
  const known = knownFor.get(mutant.file) ?? []
  const near = await runner.filesUnder(groups[mutant.group] ?? [])
  const tried = new Set()
  const isOfServer = mutant.file.startsWith('src/server')
  const more = isOfServer ? [] : [ofPhone, random]
  for (const stage of [known.slice(0, mostKnown), near, ...more]) {
    const files = stage.filter((file) => !tried.has(file) && sound.get(file) !== false)
    for (const file of files) tried.add(file)
    const by = await firstSoundFailing(mutant, files)
    if (!by) continue
    knownFor.set(mutant.file, [by, ...known.filter((file) => file !== by)])
    return relative(root, by)
  }
  return undefined
}

/**
 * The first of these files that fails with the change and passes without it; nothing when there is none.
 * @param {Mutant} mutant
 * @param {string[]} files
 */
async function firstSoundFailing(mutant, files) {
  for (let left = files; left.length > 0; ) {
    const by = await runner.firstFailing(mutant, left)
    if (by === undefined || !files.includes(by)) return by
    if (!sound.has(by)) sound.set(by, (await runner.firstFailing(undefined, [by])) === undefined)
    if (sound.get(by)) return by
    console.log(`${relative(root, by)} fails with nothing changed, and is left out`)
    left = left.filter((file) => file !== by)
  }
  return undefined
}

/** @param {Mutant} mutant */
function textOf({ group, line, file, original, changed, because }) {
  return `${group}:${line} ${file}\n- ${original}\n+ ${changed}${because ? `\n= ${because}` : '\n= not argued'}`
}
