import { openPostgres } from '../../../postgres/open-postgres.ts'
import { migrate } from '../../../postgres/upgrade/migrate.ts'
import { StartupError } from '../../../startup-error.ts'
import type { Config } from '../../startup/config.ts'
import { withDatabase } from '../database.ts'
import type { TaskContext, TaskResult } from './task.ts'
import { tasks } from './tasks.ts'

/**
 * Runs a task of `npm run admin`, whether or not the server runs. Without a name, or with `help`, it lists
 * the tasks. `print` is told which database it is. Throws `StartupError`: for an unknown task, wrong arguments, and what the task could not do.
 */
export async function runAdminTask(
  args: string[],
  config: Config,
  print?: (line: string) => void,
): Promise<TaskResult> {
  const [name = 'help', ...given] = args
  if (name === 'help' && given.length === 0) return { lines: help() }
  const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined
  if (!task)
    throw new StartupError(`There is no task ${name}. "npm run admin -- help" lists the tasks.`)
  if (given.length !== task.args.length || given.includes(''))
    throw new StartupError(`Usage: npm run admin -- ${usage(name, task.args)}`)
  if ('runWithout' in task) return task.runWithout(config)
  return withContext(config, (context) => task.run(context, ...given), print)
}

const usage = (name: string, args: string[]) => [name, ...args].join(' ')

function help(): string[] {
  const rows = Object.entries(tasks).map(([name, task]) => [usage(name, task.args), task.about])
  const width = Math.max(...rows.map(([left = '']) => left.length))
  return [
    'npm run admin -- <task>, while the server runs or not:',
    ...rows.map(([left = '', about]) => `  ${left.padEnd(width)}  ${about}`),
  ]
}

const withContext = <T>(
  config: Config,
  work: (context: TaskContext) => Promise<T>,
  print?: (line: string) => void,
) => {
  const withRepo = async (url: string) => {
    await migrate(url)
    const repo = openPostgres(url)
    try {
      return await work({ repo, url })
    } finally {
      await repo.close()
    }
  }
  return withDatabase(config, withRepo, print)
}
