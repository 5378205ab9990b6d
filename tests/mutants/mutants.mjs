/*
 * `npm run mutants [group or part of a path]` makes one change after another to the engine's sources, in
 * memory, and runs the unit tests until one notices it: the tests nearest to the source, then all others
 * but the random scenarios, then those. Prints each change that no test notices; fails when fewer than
 * 95 % are noticed, or when one that is not says nothing of why.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readyToBuild, root } from '../../src/server/launch/ready.mjs'
import { allChanges, groups } from './list.mjs'

/** Of the changes that are no equivalent ones. */
const leastNoticed = 0.95
/** Runs side by side, on two cores. */
const atOnce = Number(process.env.MUTANTS_AT_ONCE ?? 2)
/** Milliseconds after which a run counts as noticed: a change that never ends is one. */
const longestRun = 10 * 60_000

await readyToBuild()
const asked = process.argv[2] ?? ''
const queue = allChanges().filter(({ group, file, line }) =>
  `${group}:${line} ${file}`.includes(asked),
)
const total = queue.length
/** @typedef {import('./list.mjs').Mutant} Mutant */
/** @type {Mutant[]} */
const unnoticed = []
let done = 0
await Promise.all(Array.from({ length: atOnce }, lane))

const argued = unnoticed.filter(({ because }) => because)
const open = unnoticed.filter(({ because }) => !because)
const noticed = total - unnoticed.length
const share = noticed / (total - argued.length || 1)
const summary = `${noticed} of ${total} noticed, ${argued.length} equivalent, ${open.length} open: ${(share * 100).toFixed(1)} %`
const folder = join(process.env.DATA_DIR ?? join(root, 'data'), 'mutants')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'mutants.json'), `${JSON.stringify({ summary, unnoticed }, null, 2)}\n`)
for (const mutant of [...argued, ...open]) console.log(`\n${linesOf(mutant)}`)
console.log(`\n${summary}`)
process.exitCode = share >= leastNoticed ? 0 : 1

async function lane() {
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    const by = await noticedBy(mutant)
    done++
    if (!by) unnoticed.push(mutant)
    console.log(
      `${done}/${total} ${by ? `noticed (${by})` : 'NOT NOTICED'} ${mutant.group}:${mutant.line}`,
    )
  }
}

/**
 * Which stage of tests notices the change; nothing when none does.
 * @param {Mutant} mutant
 */
async function noticedBy(mutant) {
  const stages = {
    near: groups[mutant.group] ?? [],
    all: [
      'tests/store',
      'tests/sync',
      'tests/server/http',
      '--exclude',
      'tests/sync/model/model-*',
    ],
    random: ['tests/sync/model/model-'],
  }
  for (const [name, tests] of Object.entries(stages))
    if (!(await passes(mutant, tests))) return name
  return undefined
}

/**
 * @param {Mutant} mutant
 * @param {string[]} tests
 * @returns {Promise<boolean>}
 */
function passes({ file, original, changed }, tests) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const child = spawn(
    process.execPath,
    [vitest, 'run', '--bail', '1', '--silent', '--reporter', 'dot', ...tests],
    {
      cwd: root,
      stdio: 'ignore',
      env: { ...process.env, CI: 'true', MUTANT: JSON.stringify({ file, original, changed }) },
    },
  )
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), longestRun)
    child.once('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    })
  })
}

/** @param {Mutant} mutant */
function linesOf({ group, line, file, original, changed, because }) {
  return `${group}:${line} ${file}\n- ${original}\n+ ${changed}${because ? `\n= ${because}` : '\n= not argued'}`
}
