import { asc, eq, lt } from 'drizzle-orm'
import { normalizeEmail } from '#domain/users/user.ts'
import type { Invitations, StoredInvitation } from '../../ports/stores/account-stores.ts'
import type { Db } from '../db.ts'
import { invitations } from '../tables.ts'

const toInvitation = ({
  id,
  emailKey: _,
  createdAt,
  expiresAt,
  ...rest
}: typeof invitations.$inferSelect): StoredInvitation => ({
  ID: id,
  ...rest,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
})

export function invitationsOver(db: Db): Invitations {
  return {
    async put({ ID, createdAt, expiresAt, ...rest }) {
      const emailKey = normalizeEmail(rest.email)
      const times = { createdAt: new Date(createdAt), expiresAt: new Date(expiresAt) }
      const row = { id: ID, ...rest, emailKey, ...times }
      await db
        .insert(invitations)
        .values(row)
        .onConflictDoUpdate({ target: invitations.emailKey, set: row })
    },
    async find(hash) {
      const [row] = await db.select().from(invitations).where(eq(invitations.hash, hash))
      return row && toInvitation(row)
    },
    async list() {
      const rows = await db.select().from(invitations).orderBy(asc(invitations.createdAt))
      return rows.map(toInvitation)
    },
    async remove(id) {
      const removed = await db
        .delete(invitations)
        .where(eq(invitations.id, id))
        .returning({ id: invitations.id })
      return removed.length > 0
    },
    async removeAllBy(userId) {
      await db.delete(invitations).where(eq(invitations.invitedBy, userId))
    },
    async sweep(expiredBefore) {
      await db.delete(invitations).where(lt(invitations.expiresAt, new Date(expiredBefore)))
    },
  }
}
