import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const migrations = 'src/server/postgres/migrations'

/**
 * The folder that holds `src` and `dist`. This code runs from `src`, from `dist/server/main.js` and from
 * `dist/dev/main.js`, at different depths, so the folder is found by the migrations it holds.
 */
export const projectRoot = findRoot(import.meta.dirname)

/** The folder of the numbered SQL files. They are read at run time and are not part of the bundle. */
export const migrationsFolder = join(projectRoot, migrations)

function findRoot(folder: string): string {
  if (existsSync(join(folder, migrations))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error(`No folder above the server holds ${migrations}`)
  return findRoot(parent)
}

/**
 * Of the installed program, such as `1.2.3`. It is read when asked for, so that the server also runs where its
 * `package.json` was left out.
 */
export const productVersion = (): string =>
  JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')).version
