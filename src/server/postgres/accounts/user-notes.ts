import { desc, eq } from 'drizzle-orm'
import type { UserNotes } from '../../ports/stores/record-stores.ts'
import type { Db } from '../db.ts'
import { userNotes } from '../tables.ts'

/** The office's notes about people (R202). */
export const userNotesOver = (db: Db): UserNotes => ({
  async add({ ID, at, ...note }) {
    await db.insert(userNotes).values({ ...note, id: ID, at: new Date(at) })
  },
  async list(userId) {
    const rows = await db
      .select()
      .from(userNotes)
      .where(eq(userNotes.userId, userId))
      .orderBy(desc(userNotes.at), desc(userNotes.id))
    return rows.map(({ id, at, ...note }) => ({ ...note, ID: id, at: at.toISOString() }))
  },
})
