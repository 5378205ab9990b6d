/* `npm run admin -- <task>`: the tasks of the operator; without one it lists them. */
import { runOperatorCommand } from './operator.mjs'

await runOperatorCommand('admin')
