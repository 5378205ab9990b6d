import type { Refused } from '#contract/errors.ts'
import { guestAccount } from '#store/database/engine-db.ts'
import { removeAll } from '#store/deliveries/save-rows.ts'
import { expire } from '../expire.ts'
import type { Tools } from '../platform/context.ts'

/** The server said no to a read: the token is dead, or the row is no longer this person's to see. */
export async function refused(
  tools: Tools,
  name: string,
  account: string,
  { status }: Refused,
): Promise<void> {
  const { db, clock } = tools
  if (status === 401 && account !== guestAccount) await expire(tools, account)
  if (name.startsWith('delivery:') && status === 404) await forget(db, account, name, clock.now())
}

/** Another person's, or taken by somebody else: it is no longer theirs to see. */
async function forget(db: Tools['db'], account: string, name: string, now: number): Promise<void> {
  const id = name.slice('delivery:'.length)
  await db.transaction('rw', [db.deliveries, db.outbox, db.sessions, db.meta], async () => {
    await db.meta.put({ key: `gone:${account}:${id}`, value: now })
    const row = await db.deliveries.get([account, id])
    if (row?.known) await removeAll(db, account, [id])
  })
}
