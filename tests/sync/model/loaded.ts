/*
 * What the app loads when it first needs it, loaded beforehand: a module that comes from the disk
 * in the middle of a history would come at another moment in each run.
 */
import '#store/commands/admin.ts'
import '#store/account/forget-account.ts'
import '#store/commands/outbox-actions.ts'
import '#store/commands/account.ts'
import '#store/commands/request-delivery.ts'
import '#store/database/quarantine.ts'
import '#sync/pull/admin-lists.ts'
import '#sync/engine/guest-subscriptions.ts'
import '#sync/make-room.ts'
import '#sync/events/leader.ts'
import '#sync/pull/account-lists.ts'
import '#sync/pull/pull-all-pages.ts'
import '#sync/pull/forget-refused.ts'
import '#sync/push/sender.ts'
import '#sync/session/revoke.ts'
import '#sync/session/session.ts'
import '#sync/tidy.ts'
