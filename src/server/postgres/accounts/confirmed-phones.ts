import { eq } from 'drizzle-orm'
import type { ConfirmedPhones } from '../../ports/stores/account-stores.ts'
import type { Db } from '../db.ts'
import { confirmedPhones } from '../tables.ts'

export function confirmedPhonesOver(db: Db): ConfirmedPhones {
  return {
    async has(key) {
      const found = await db.select().from(confirmedPhones).where(eq(confirmedPhones.key, key))
      return found.length > 0
    },
    async add(key, at) {
      await db
        .insert(confirmedPhones)
        .values({ key, at: new Date(at) })
        .onConflictDoNothing()
    },
    async remove(key) {
      await db.delete(confirmedPhones).where(eq(confirmedPhones.key, key))
    },
  }
}
