/*
 * `npm run attacks`: starts the built server of a checkout on fresh data, attacks it as strangers and
 * as other people, and prints what each attack got. Everything stays on loopback and is bounded.
 * `-- --root DIR` attacks the server of another checkout, `-- --only WORD` only some of the attacks.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { accountAttacks } from './accounts.mjs'
import { jobAttacks } from './jobs.mjs'
import { leakAttacks } from './leaks.mjs'
import { loadAttacks } from './load.mjs'
import { startVictim } from './victim.mjs'

const { values } = parseArgs({ options: { root: { type: 'string' }, only: { type: 'string' } } })
const root = resolve(values.root ?? join(import.meta.dirname, '../..'))
const attacks = { ...leakAttacks, ...accountAttacks, ...jobAttacks, ...loadAttacks }

for (const [name, attack] of Object.entries(attacks)) {
  if (values.only && !name.includes(values.only)) continue
  const dataDir = mkdtempSync(join(tmpdir(), 'soma-attack-'))
  const victim = await startVictim(root, dataDir)
  try {
    console.log(`${name}: ${await attack(victim)}`)
  } catch (error) {
    process.exitCode = 1
    console.log(`${name}: could not be made (${error instanceof Error ? error.message : error})`)
  } finally {
    await victim.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
