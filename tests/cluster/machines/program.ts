import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

/** A program of the cluster, which faults end and start again. */
export type Program = {
  name: string
  start(): void
  /** Ends it with this signal and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<void>
  isRunning(): boolean
  /** Its newest lines, for the report of a failure. */
  lines(): string[]
}

type Options = {
  /** Of the folder its log is written to. */
  folder: string
  env?: Record<string, string>
  cwd?: string
  user?: { uid: number; gid: number }
}

const keptLines = 40

/** A program that is not started yet. Everything it prints is in `<folder>/<name>.log`. */
export function program(
  name: string,
  [command, ...args]: [string, ...string[]],
  { folder, env = {}, cwd = folder, user }: Options,
): Program {
  let child: ChildProcess | undefined
  let lines: string[] = []
  return {
    name,
    start() {
      const started = spawn(command, args, {
        cwd,
        env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...user,
      })
      child = started
      for (const stream of [started.stdout, started.stderr])
        stream?.setEncoding('utf8').on('data', (text: string) => {
          lines = [...lines, ...text.split('\n').filter(Boolean)].slice(-keptLines)
          void appendFile(`${folder}/${name}.log`, text)
        })
    },
    async end(signal) {
      const running = child
      if (!running || hasEnded(running)) return
      const ended = new Promise((done) => running.once('exit', done))
      running.kill(signal)
      const insist = setTimeout(() => running.kill('SIGKILL'), 20_000)
      await ended
      clearTimeout(insist)
    },
    isRunning: () => child !== undefined && !hasEnded(child),
    lines: () => lines,
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null

/** Waits until `test` answers true; throws with what was waited for. An error counts as false. */
export async function until(
  what: string,
  test: () => Promise<boolean>,
  milliseconds = 60_000,
): Promise<void> {
  const last = performance.now() + milliseconds
  while (performance.now() < last) {
    if (await test().catch(() => false)) return
    await pause(100)
  }
  throw new Error(`${what}: not within ${milliseconds / 1000} s`)
}

/** The user PostgreSQL and its tools run as: never root. */
export function databaseUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] =
    readFileSync('/etc/passwd', 'utf8')
      .match(/^postgres:[^:]*:(\d+):(\d+):/m)
      ?.slice(1) ?? []
  if (uid === undefined) throw new Error('There is no user named postgres')
  return { uid: Number(uid), gid: Number(gid) }
}
