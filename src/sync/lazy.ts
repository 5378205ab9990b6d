import { forgetAfterExpiry } from '#store/account/expire.ts'
import { forgetLateReplies, forgetStrangers } from '#store/account/forget-account.ts'
import { deleteOldGuests } from '#store/account/guest-records.ts'
import { deleteCachedImages, deleteNotedImages } from '#store/account/image-cache.ts'
import { followConsoleFlag } from '#store/database/device/diagnostics.ts'
import { pullUnreadableAgain } from '#store/database/pulls/full-pulls.ts'
import { evict as evictRows } from '#store/deliveries/evict.ts'
import { outboxProduct } from '#store/deliveries/outbox-product.ts'
import { collectGarbage as collectOutboxGarbage } from '#store/outbox/collect-garbage.ts'
import { checkRows } from '#store/row-checks.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { followHeldJobs } from './deliveries/acknowledge.ts'
import { eventsProduct } from './deliveries/events-product.ts'
import { pushProduct } from './deliveries/push-product.ts'
import type { EventsAbout } from './engine/product.ts'
import { hearEvents as hearEventsWith } from './events/leader.ts'
import { followBadge } from './notifications/badge.ts'
import { followSubscription } from './notifications/report-subscription.ts'
import type { SyncContext } from './platform/context.ts'
import { browserSubscriber } from './platform/push-subscription.ts'
import { drain as drainWith } from './push/sender.ts'

/*
 * Everything of sync and store that a visitor's first page does without, in one part: see `load-lazy.ts`.
 */

export { createLazyCommands } from '#store/commands/lazy.ts'
export { unsentFile } from '#store/queries/unsent-file.ts'
export { solve } from './challenge/solve.ts'
export { ownSubscriptions } from './deliveries/own-subscriptions.ts'
export { fetchPrivatePhoto } from './deliveries/private-photo.ts'
export { exportCsv } from './export/export.ts'
export { askForBackgroundSync } from './platform/background-sync.ts'
export { reportQueue } from './platform/report-queue.ts'
export { uploadByXhr } from './platform/upload-xhr.ts'
export { pullAnyList } from './pull/pull-list.ts'
export { pullOlder } from './pull/pull-older.ts'
export { revokeTokens } from './session/revoke.ts'
export { createSession } from './session/session.ts'

type Context = SyncContext<SomaDb>

/** Sends what waits. */
export const drain = (context: Context) => drainWith(context, pushProduct)

/**
 * Listens to the event stream, sees to it that the same people are told with the app closed, and confirms what the
 * server waits for.
 */
export function hearEvents(about: EventsAbout): () => void {
  const stopHearing = hearEventsWith(about, eventsProduct)
  const { environment } = about
  const stopReporting = followSubscription({
    // The engine does not know which rows the store holds.
    context: about.context as Context,
    environment,
    subscriber: environment.pushSubscriber ?? browserSubscriber,
  })
  const stopCounting = followBadge(about.context.db as SomaDb)
  const stopConfirming = followHeldJobs(about.context as Context)
  return () => {
    stopHearing()
    stopReporting()
    stopCounting()
    stopConfirming()
  }
}

/** Before anything is read from what is stored. */
export async function checkStored({ db, clock, cachePrefix }: Context): Promise<void> {
  await followConsoleFlag(db)
  await deleteNotedImages(db, cachePrefix)
  await checkRows(db, clock.now())
  await pullUnreadableAgain(db)
  await forgetStrangers(db)
}

/** Deletes records, late replies, ended entries and photos that nothing needs (S7, S11). */
export async function collectGarbage({ db, clock, cachePrefix }: Context): Promise<void> {
  await forgetAfterExpiry({ db, cachePrefix })
  await deleteOldGuests(db, clock.now())
  await forgetLateReplies(db)
  await collectOutboxGarbage(db, outboxProduct, clock)
}

/** Deletes what can be fetched again; the app's own files stay (S26). */
export async function evict({
  db,
  cachePrefix,
}: Pick<Context, 'db' | 'cachePrefix'>): Promise<void> {
  await deleteCachedImages(cachePrefix)
  await evictRows(db)
}
