import { eq } from 'drizzle-orm'
import type { Settings } from '../../ports/stores/settings-store.ts'
import type { Db } from '../db.ts'
import { settings } from '../tables.ts'

export function settingsOver(db: Db): Settings {
  const get = async (name: string) => {
    const [found] = await db.select().from(settings).where(eq(settings.name, name))
    return found?.value
  }
  return {
    get,
    async keep(name, value) {
      await db.insert(settings).values({ name, value }).onConflictDoNothing()
      return (await get(name)) ?? value
    },
    async remove(name) {
      await db.delete(settings).where(eq(settings.name, name))
    },
  }
}
