import { chmod, mkdir, readdir } from 'node:fs/promises'
import { StartupError } from '../../startup-error.ts'

/**
 * Files that show that this server made the folder. The mode of any other folder is not changed
 * (`DATA_DIR=/tmp`).
 */
const ownNames = ['postgres.json', 'images', 'secret.key']

/**
 * Makes `DATA_DIR`, readable by its owner alone. When root runs the server, PostgreSQL runs as another
 * user, who must be able to pass through. Throws `StartupError`.
 */
export async function openDataDir(dataDir: string): Promise<void> {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  try {
    await mkdir(dataDir, { recursive: true, mode })
    const names = await readdir(dataDir)
    if (names.length > 0 && !names.some((name) => ownNames.includes(name))) return
    // The folder of another user keeps its mode.
    await chmod(dataDir, mode).catch(() => undefined)
  } catch (error) {
    throw new StartupError(`DATA_DIR ${dataDir} cannot be used: ${String(error)}`)
  }
}
