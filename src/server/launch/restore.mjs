/* `npm run restore -- <folder>`: puts a backup back, while no server runs. */
import { runOperatorCommand } from './operator.mjs'

await runOperatorCommand('restore')
