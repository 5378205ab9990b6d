import { execFile, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

/** The major version of a program of PostgreSQL's on the PATH; `undefined` when it is not there. */
export async function majorOf(name: 'pg_dump' | 'pg_restore'): Promise<number | undefined> {
  const found = await promisify(execFile)(name, ['--version']).catch(() => undefined)
  const major = Number(found?.stdout.match(/(\d+)(?:\.|devel|beta|rc|\s|$)/)?.[1])
  return major > 0 ? major : undefined
}

/** What a program prints, and its end: `ended` rejects when it failed. Read `output` to its end, then await `ended`. */
export function runProgram(
  name: 'pg_dump' | 'pg_restore',
  args: string[],
  { env = {}, signal }: { env?: Record<string, string>; signal?: AbortSignal } = {},
): { output: Readable; ended: Promise<void> } {
  const child = spawn(name, args, {
    env: { ...process.env, LC_ALL: 'C', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    // The last lines are enough.
    complaint = `${complaint}${chunk.toString()}`.slice(-2_000)
  })
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) return resolve()
      reject(new Error(complaint.trim().split('\n').at(-1) || `${name} ended with ${code}`))
    })
  })
  // Whoever awaits it comes later.
  ended.catch(() => undefined)
  return { output: child.stdout, ended }
}
