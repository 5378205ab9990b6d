import { chmod, mkdir, readdir } from 'node:fs/promises'
import { StartupError } from './startup-error.ts'

/** What a folder of ours has in it; another's is left as it is (`DATA_DIR=/tmp`). */
const ours = ['postgres.json', 'images', 'secret.key']

/**
 * Makes `DATA_DIR`, readable by its owner alone. PostgreSQL, which root runs as another user, must be
 * able to pass through. Throws `Fatal`.
 */
export async function openDataDir(dataDir: string): Promise<void> {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  try {
    await mkdir(dataDir, { recursive: true, mode })
    const names = await readdir(dataDir)
    if (names.length > 0 && !names.some((name) => ours.includes(name))) return
    // Another user's folder that we may write to stays as they made it.
    await chmod(dataDir, mode).catch(() => undefined)
  } catch (error) {
    throw new StartupError(`DATA_DIR ${dataDir} cannot be used: ${String(error)}`)
  }
}
