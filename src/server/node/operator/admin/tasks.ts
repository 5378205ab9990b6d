import { findSupportCode } from './find-support-code.ts'
import { verifyLedger } from './ledger-task.ts'
import { money } from './money-task.ts'
import { movePhotos } from './move-photos.ts'
import { releasePhoneTask } from './release-phone.ts'
import { resetPassword } from './reset-password.ts'
import { rebuildRollups, verifyRollups } from './rollups.ts'
import { closeSession, closeSessions, listSessions } from './sessions.ts'
import type { Task } from './task.ts'

/** Every task of `npm run admin`, in the order of the help. A new one is a file here and one line. */
export const tasks: Record<string, Task> = {
  'reset-password': resetPassword,
  sessions: listSessions,
  'close-session': closeSession,
  'close-sessions': closeSessions,
  'release-phone': releasePhoneTask,
  'find-support-code': findSupportCode,
  money,
  'verify-ledger': verifyLedger,
  'verify-rollups': verifyRollups,
  'rebuild-rollups': rebuildRollups,
  'move-photos': movePhotos,
}
