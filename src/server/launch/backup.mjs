/* `npm run backup [folder]`: a backup of the database and the photos, while the server runs. */
import { runOperatorCommand } from './operator.mjs'

await runOperatorCommand('backup')
