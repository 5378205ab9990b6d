import { spawnSync } from 'node:child_process'

const finds = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0

/**
 * Whether a program of Debian's is here; it is installed when it is not and that is possible. Throws in
 * CI, where nothing may be left out.
 */
export function hasProgram(name: string): boolean {
  if (finds(name)) return true
  if (process.getuid?.() === 0 && finds('apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const install = `apt-get update && apt-get install -y --no-install-recommends ${name}`
    spawnSync('sh', ['-c', install], { env, timeout: 300_000 })
    if (finds(name)) return true
  }
  const missing = `${name} is not here and could not be installed.`
  if (process.env.CI) throw new Error(missing)
  process.stderr.write(`${missing} Its configuration is not tested.\n`)
  return false
}
