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
import '#sync/admin-lists.ts'
import '#sync/guest-lists.ts'
import '#sync/make-room.ts'
import '#sync/news.ts'
import '#sync/own-lists.ts'
import '#sync/pull-pages.ts'
import '#sync/pull-refused.ts'
import '#sync/push.ts'
import '#sync/revoke.ts'
import '#sync/session.ts'
import '#sync/tidy.ts'
