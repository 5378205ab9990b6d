import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @typedef {import('./plugin.ts').Change} Change */
/**
 * A change and where it is listed. `because`: why no test can notice it; it changes nothing that anybody
 * could see.
 * @typedef {Change & { group: string, line: number, because?: string }} Mutant
 */

/**
 * The files of changes, and the tests that stand nearest to their sources.
 * @type {Record<string, string[]>}
 */
export const groups = {
  'store-outbox': ['tests/store/outbox', 'tests/sync/push', 'tests/sync/promises'],
  'store-deliveries': ['tests/store/deliveries', 'tests/store/commands', 'tests/sync/pull'],
  'sync-push': ['tests/sync/push', 'tests/sync/deliveries', 'tests/store/outbox'],
  'sync-pull': ['tests/sync/pull', 'tests/sync/promises', 'tests/sync/session'],
  'sync-engine': ['tests/sync/engine', 'tests/sync/platform'],
  'sync-events': ['tests/sync/events'],
  'server-idempotency': ['tests/server/http'],
}

/**
 * The changes of a group. In its file a line that begins with `#` names the source, each change is a line
 * with `-` and one with `+`, and a line with `=` says why no test can notice it.
 * @param {string} group
 * @returns {Mutant[]}
 */
function changesIn(group) {
  /** @type {Mutant[]} */
  const all = []
  let file = ''
  let original = ''
  const path = join(import.meta.dirname, 'changes', `${group}.txt`)
  for (const [at, text] of readFileSync(path, 'utf8').split('\n').entries()) {
    const rest = text.slice(2)
    if (text.startsWith('# ')) file = rest
    if (text.startsWith('- ')) original = rest
    if (text.startsWith('+ ')) all.push({ group, line: at + 1, file, original, changed: rest })
    const last = all.at(-1)
    if (text.startsWith('= ') && last) last.because = rest
  }
  return all
}

/** Every change of every group. */
export const allChanges = () => Object.keys(groups).flatMap(changesIn)
