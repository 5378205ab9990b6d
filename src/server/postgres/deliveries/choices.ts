import { asc, eq } from 'drizzle-orm'
import type { Choices } from '../../ports/repo.ts'
import type { Db } from '../db.ts'
import type { items, zones } from '../tables.ts'

export function choicesOver(db: Db, table: typeof zones | typeof items): Choices {
  const key = (name: string) => name.trim().toLowerCase()
  return {
    async list() {
      const rows = await db.select().from(table).orderBy(asc(table.place))
      return rows.map(({ id, name }) => ({ ID: id, Name: name }))
    },
    async has(name) {
      // Held until the end: a zone cannot be taken off the list under a delivery being made.
      const found = await db.select().from(table).where(eq(table.name, name)).for('key share')
      return found.length > 0
    },
    async add({ ID, Name }, at) {
      await db.insert(table).values({ id: ID, name: Name, nameKey: key(Name), at: new Date(at) })
    },
    async remove(id) {
      const gone = await db.delete(table).where(eq(table.id, id)).returning({ id: table.id })
      return gone.length > 0
    },
  }
}
