import { changed } from '#domain/notifications/kinds.ts'
import type { NotificationSettings } from '#domain/users/notification-settings.ts'
import { getState, type SubjectState } from '#sync/database/device/state.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { type NotificationChoice, pushKey, unreportedLogins } from '../../account/notifications.ts'
import { unsentOf } from '../../entries/operations.ts'
import { currentAccount } from '../../session.ts'
import type { SomaDb } from '../../soma-db.ts'

export type NotificationState = {
  /** The server sends push messages. */
  isOffered: boolean
  /** What was chosen on this phone. */
  choice?: NotificationChoice
  /** The server knows of this phone, for each of their logins. */
  isReported: boolean
  /** Why they are not told although they want to be (S61). */
  problem?: SubjectState['notifications']['problem']
}

/** Whether whoever uses this phone is told with the app closed (R117). */
export async function notificationState(db: SomaDb, now = Date.now()): Promise<NotificationState> {
  return db.transaction('r', [db.sessions, db.guests, db.meta], async () => {
    const account = await currentAccount(db)
    const state = await getState(db, `notifications:${account}`)
    const unreported = await unreportedLogins(db, now)
    const choice = state?.choice
    return {
      isOffered: (await pushKey(db)) !== undefined,
      choice,
      isReported: choice === 'on' && !unreported.some((login) => login.account === account),
      problem: choice === 'on' ? state?.problem : undefined,
    }
  })
}

/** What this person is told of, with what they changed and is not sent yet (R121). */
export async function notificationSettings(
  db: SomaDb,
): Promise<{ settings: NotificationSettings; isWaiting: boolean }> {
  // In one transaction: a change whose entry ends meanwhile is in the row, or still in the queue.
  return db.transaction('r', [db.sessions, db.outbox], async () => {
    const session = await db.sessions.get('current')
    const account = session?.account ?? guestAccount
    const changes = await unsentOf(db, account, 'changeNotifications')
    const settings = changes.reduce(
      (before, { input }) => changed(before, input),
      session?.user.notifications ?? {},
    )
    return { settings, isWaiting: changes.length > 0 }
  })
}
