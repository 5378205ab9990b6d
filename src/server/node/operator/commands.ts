import { runAdminTask } from './admin/run-task.ts'
import { backup, restore } from './backup-commands.ts'
import type { OperatorCommand } from './command.ts'

/** The commands that run instead of the server, by the first argument of `dist/server/main.js`. */
export const operatorCommands: Record<string, OperatorCommand> = {
  async admin(args, config, { print }) {
    const { lines, isWrong } = await runAdminTask(args, config, print)
    for (const line of lines) print(line)
    return !isWrong
  },
  backup,
  restore,
}
