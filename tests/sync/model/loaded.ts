/*
 * What the app loads when it first needs it, loaded beforehand: a module that comes from the disk
 * in the middle of a history would come at another moment in each run.
 */
import '#store/decisions.ts'
import '#store/forget-account.ts'
import '#store/repairs.ts'
import '#store/person-commands.ts'
import '#store/request.ts'
import '#store/set-aside.ts'
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
