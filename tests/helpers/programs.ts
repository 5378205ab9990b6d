import { spawnSync } from 'node:child_process'

const finds = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0

/**
 * Whether a Debian program is installed; installs it when this runs as root. Throws in CI when it is
 * missing, where no test may be skipped.
 */
export function hasProgram(name: string): boolean {
  if (finds(name)) return true
  if (process.getuid?.() === 0 && finds('apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const install = `apt-get update && apt-get install -y --no-install-recommends ${name}`
    spawnSync('sh', ['-c', install], { env, timeout: 300_000 })
    if (finds(name)) return true
  }
  const missing = `${name} is missing and could not be installed.`
  if (process.env.CI) throw new Error(missing)
  process.stderr.write(`${missing} Its configuration is not tested.\n`)
  return false
}
