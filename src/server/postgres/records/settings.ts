import { eq, sql } from 'drizzle-orm'
import type { Settings } from '../../ports/stores/settings-store.ts'
import type { Db } from '../db.ts'
import { once } from '../prepared.ts'
import { settings } from '../tables.ts'

export function settingsOver(db: Db): Settings {
  const read = once(() =>
    db
      .select()
      .from(settings)
      .where(eq(settings.name, sql.placeholder('name')))
      .prepare(''),
  )
  const get = async (name: string) => {
    const [found] = await read().execute({ name })
    return found?.value
  }
  return {
    get,
    async keep(name, value) {
      await db.insert(settings).values({ name, value }).onConflictDoNothing()
      return (await get(name)) ?? value
    },
    async set(name, value) {
      const row = { name, value }
      await db.insert(settings).values(row).onConflictDoUpdate({ target: settings.name, set: row })
    },
    async remove(name) {
      await db.delete(settings).where(eq(settings.name, name))
    },
  }
}
