import { relative } from 'node:path'
import type { Plugin } from 'vite'

/** A change of one line: `original` stands once in the file, and `changed` takes its place. */
export type Change = { file: string; original: string; changed: string }

/**
 * Applies the change that `MUTANT` names (as JSON) to the sources that the tests read; the files stay as
 * they are. It is read anew for each source: empty, it changes nothing.
 */
export function mutant(root: string): Plugin | false {
  if (process.env.MUTANT === undefined) return false
  return {
    name: 'mutant',
    enforce: 'pre',
    transform(code, id) {
      const text = process.env.MUTANT
      if (!text) return undefined
      const { file, original, changed } = JSON.parse(text) as Change
      if (relative(root, id.split('?')[0] ?? '') !== file) return undefined
      if (code.split(original).length !== 2) throw new Error(`Not once in ${file}: ${original}`)
      return { code: code.replace(original, () => changed), map: null }
    },
  }
}
