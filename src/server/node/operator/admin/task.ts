import type { PostgresRepo } from '../../../postgres/open-postgres.ts'
import type { Config } from '../../startup/config.ts'

/** What a task works on: the repo, and the owner's address of its database. */
export type TaskContext = { repo: PostgresRepo; url: string }

/** What a task prints. `isWrong`: it found something wrong, and the command exits with 1. */
export type TaskResult = { lines: string[]; isWrong?: boolean }

/** A task of `npm run admin`. */
export type Task = {
  /** Its arguments as the help shows them, such as `<email>`. */
  args: string[]
  /** One line for the help. */
  about: string
} & (
  | {
      /** Throws `StartupError` with one line for the operator. */
      run(context: TaskContext, ...args: string[]): Promise<TaskResult>
    }
  | {
      /** As `run`, for a task that needs no database. */
      runWithout(config: Config): Promise<TaskResult>
    }
)
