import { asc, eq, sql } from 'drizzle-orm'
import type { Choices } from '../../ports/stores/record-stores.ts'
import type { Db } from '../db.ts'
import { once } from '../prepared.ts'
import type { items, zones } from '../tables.ts'

export function choicesOver(db: Db, table: typeof zones | typeof items): Choices {
  // Locked until the transaction ends: nobody removes a zone while a delivery with it is created.
  const named = once(() =>
    db
      .select({ id: table.id })
      .from(table)
      .where(eq(table.name, sql.placeholder('name')))
      .for('key share')
      .prepare(''),
  )
  const key = (name: string) => name.trim().toLowerCase()
  return {
    async list() {
      const rows = await db.select().from(table).orderBy(asc(table.place))
      return rows.map(({ id, name }) => ({ ID: id, Name: name }))
    },
    async has(name) {
      const found = await named().execute({ name })
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
