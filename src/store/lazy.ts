import { followConsoleFlag } from '#sync/database/device/diagnostics.ts'
import { createLazyEngine } from '#sync/lazy-engine.ts'
import { pullUnreadableAgain } from '#sync/lists/full-pulls.ts'
import type { LazyModel } from '#sync/model.ts'
import type { SyncContext } from '#sync/platform/context.ts'
import { browserSubscriber } from '#sync/platform/push-subscription.ts'
import { forgetAfterExpiry, hasExpiredRows } from './account/expire.ts'
import { forgetStrangers, hasLateReplies } from './account/forget-account.ts'
import { deleteOldGuests, hasOldGuests } from './account/guest-records.ts'
import { deleteCachedImages, deleteNotedImages } from './account/image-cache.ts'
import type { exportCsv as exportList } from './export/export.ts'
import { followBadge } from './follow/badge.ts'
import { followHeldJobs } from './follow/held-jobs.ts'
import { followSubscription } from './follow/report-subscription.ts'
import { evict as evictRows } from './maintenance/evict.ts'
import { checkRows } from './maintenance/row-checks.ts'
import { eventsModel } from './model/events.ts'
import { sendModel } from './model/requests.ts'
import type { SomaDb } from './soma-db.ts'

/*
 * Everything of sync and store that a visitor's first page does without, in one part: see `load-lazy.ts`.
 */

export { solve } from '#sync/challenge/solve.ts'
export { askForBackgroundSync } from '#sync/platform/background-sync.ts'
export { reportQueue } from '#sync/platform/report-queue.ts'
export { uploadByXhr } from '#sync/platform/upload-xhr.ts'
export { createLazyCommands } from './commands/lazy-commands.ts'
export { createSession } from './login/account-session.ts'
export { ownSubscriptions } from './model/own-subscriptions.ts'
export { pullAnyList } from './pull/pull-list.ts'
export { pullOlder } from './pull/pull-older.ts'
export { unsentFile } from './queries/outbox/unsent-file.ts'
export { fetchPrivatePhoto } from './requests/private-photo.ts'

type Context = SyncContext<SomaDb>

/** In a part of its own: only the office exports. */
export const exportCsv = async (...asked: Parameters<typeof exportList>) =>
  (await import('./export/export.ts')).exportCsv(...asked)

/** Deliveries, as the engine needs them after the first page. */
const lazyModel: LazyModel = {
  ...sendModel,
  ...eventsModel,
  async checkStored({ db, clock, cachePrefix }: Context) {
    await followConsoleFlag(db)
    await deleteNotedImages(db, cachePrefix)
    await checkRows(db, clock.now())
    await pullUnreadableAgain(db)
    await forgetStrangers(db)
  },
  /** Records and late replies (S11, S59). Asked in every round: one transaction finds out whether there are any. */
  async deleteOld({ db, clock, cachePrefix }: Context) {
    const now = clock.now()
    const tables = [db.sessions, db.guests, db.outbox, db.pulls, db.deliveries]
    const [isExpired, isOld, isLate] = await db.transaction('r', tables, async () => [
      await hasExpiredRows(db),
      await hasOldGuests(db, now),
      await hasLateReplies(db),
    ])
    if (isExpired) await forgetAfterExpiry({ db, cachePrefix })
    if (isOld) await deleteOldGuests(db, now)
    if (isLate) await forgetStrangers(db)
  },
  /** Sees to it that the same people are told with the app closed, and confirms what the server waits for. */
  follow({ context, environment }) {
    // The engine does not know which rows the store holds.
    const ours = context as Context
    const stops = [
      followSubscription({
        context: ours,
        environment,
        subscriber: environment.pushSubscriber ?? browserSubscriber,
      }),
      followBadge(ours.db),
      followHeldJobs(ours),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  },
}

export const lazyEngine = createLazyEngine(lazyModel)

/** Deletes what can be fetched again; the app's own files stay (S26). */
export async function evict({
  db,
  cachePrefix,
}: Pick<Context, 'db' | 'cachePrefix'>): Promise<void> {
  await deleteCachedImages(cachePrefix)
  await evictRows(db)
}
