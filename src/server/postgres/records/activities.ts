import { desc } from 'drizzle-orm'
import type { Activities } from '../../ports/repo.ts'
import type { Db } from '../db.ts'
import { activities } from '../tables.ts'

export function activitiesOver(db: Db): Activities {
  return {
    async add({ ID, Type, Message, CreatedAt }) {
      const row = { id: ID, type: Type, message: Message, createdAt: new Date(CreatedAt) }
      await db.insert(activities).values(row)
    },
    async list(limit) {
      const rows = await db
        .select()
        .from(activities)
        .orderBy(desc(activities.createdAt), desc(activities.id))
        .limit(limit)
      return rows.map(({ id, type, message, createdAt }) => ({
        ID: id,
        Type: type,
        Message: message,
        CreatedAt: createdAt.toISOString(),
      }))
    },
  }
}
