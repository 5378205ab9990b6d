import { desc, lt } from 'drizzle-orm'
import type { Activities } from '../../ports/stores/record-stores.ts'
import type { Db } from '../db.ts'
import { insertOf } from '../prepared.ts'
import { activities } from '../tables.ts'

export function activitiesOver(db: Db): Activities {
  const insert = insertOf(db, activities, ['id', 'type', 'message', 'createdAt'])
  return {
    async add({ ID, Type, Message, CreatedAt }) {
      await insert({ id: ID, type: Type, message: Message, createdAt: new Date(CreatedAt) })
    },
    async sweep(before) {
      await db.delete(activities).where(lt(activities.createdAt, new Date(before)))
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
