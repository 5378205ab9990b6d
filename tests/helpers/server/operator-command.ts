import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { join } from 'node:path'

/** The built server, which runs an operator's command when its first argument names one. */
export const main = join(import.meta.dirname, '../../../dist/server/main.js')

export type CommandResult = { status: number | null; stdout: string; stderr: string }

/**
 * Runs `npm run admin`, `backup` or `restore` without the build, to its end. Not by `spawnSync`: a server of the test
 * closes idle connections meanwhile, and the test must hear of it before it uses one again.
 */
export const runCommand = (
  env: Record<string, string>,
  ...args: string[]
): Promise<CommandResult> =>
  ended(spawn(process.execPath, [main, ...args], { env: { PATH: process.env.PATH, ...env } }))

/** How a process ended, and what it printed. */
export async function ended(child: ChildProcessWithoutNullStreams): Promise<CommandResult> {
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text
    })
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, ...printed }
}
