import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const systemd = '/lib/systemd/systemd'

/** Whether systemd can run here as PID 1 of its own namespaces: as root, with leave to make them. */
export const canRunSystemd = (): boolean =>
  process.getuid?.() === 0 &&
  existsSync(systemd) &&
  spawnSync('unshare', ['--mount', '--pid', '--fork', '--cgroup', 'true']).status === 0

export type UnitRun = {
  systemctl(...args: string[]): string
  /** What a command of root prints; throws where it fails. */
  run(...command: string[]): string
  /** A property of the service, as `systemctl show` prints it. */
  show(property: string): string
  /** The process ID of the service's main process, as this process sees it. */
  mainPid(): number
  /** How many processes the service has. */
  processes(): number
  /** The service's /var/lib, as this process sees it. */
  stateFolder(): string
  end(): Promise<void>
}

/** Runs a unit of the product under a real systemd, with these settings in /etc/soma.env. */
export async function runUnit(unit: string, settings: Record<string, string>): Promise<UnitRun> {
  const folder = mkdtempSync(join(tmpdir(), 'soma-systemd-'))
  const file = join(folder, 'soma.env')
  writeFileSync(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
  const group = `soma-test-${process.pid}`
  const project = join(import.meta.dirname, '../../..')
  const script = join(import.meta.dirname, 'enter.sh')
  const args = ['--mount', script, project, process.execPath, unit, file, group]
  const outer = spawn('unshare', args, { stdio: 'ignore' })
  const groupFolder = () => {
    const mounted = mkdtempSync(join(tmpdir(), 'soma-cgroup-'))
    execFileSync('mount', ['-t', 'cgroup2', 'cgroup2', mounted])
    return mounted
  }
  const groups = groupFolder()
  const pidsOf = (path: string) =>
    readFileSync(join(groups, group, path, 'cgroup.procs'), 'utf8')
      .trim()
      .split('\n')
      .filter(Boolean)
  const service = 'system.slice/soma.service'
  /** The process ID of systemd itself. */
  const inside = () => pidsOf('init.scope')[0] ?? ''
  const enter = (...command: string[]) =>
    execFileSync('nsenter', ['--target', inside(), '--mount', '--pid', ...command], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  const systemctl = (...more: string[]) => enter('systemctl', ...more)
  const show = (property: string) =>
    systemctl('show', 'soma.service', `--property=${property}`, '--value')
  return {
    systemctl,
    run: enter,
    show,
    mainPid() {
      const own = show('MainPID')
      const isMain = (pid: string) =>
        new RegExp(`^NSpid:.*\\t${own}$`, 'm').test(readFileSync(`/proc/${pid}/status`, 'utf8'))
      return Number(pidsOf(service).find(isMain))
    },
    processes: () => (existsSync(join(groups, group, service)) ? pidsOf(service).length : 0),
    stateFolder: () => `/proc/${inside()}/root/var/lib/soma`,
    async end() {
      const gone = outer.exitCode === null && new Promise((exited) => outer.once('exit', exited))
      outer.kill('SIGKILL')
      await gone
      for (let tries = 0; tries < 50 && !removed(join(groups, group)); tries++)
        await new Promise((done) => setTimeout(done, 100))
      execFileSync('umount', [groups])
      rmdirSync(groups)
      rmSync(folder, { recursive: true })
    },
  }
}

/** Removes a cgroup with those below it; false while one of them has processes. */
function removed(path: string): boolean {
  try {
    for (const each of readdirSync(path, { withFileTypes: true }))
      if (each.isDirectory() && !removed(join(path, each.name))) return false
    rmdirSync(path)
    return true
  } catch {
    return !existsSync(path)
  }
}
