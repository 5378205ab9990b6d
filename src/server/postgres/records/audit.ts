import { sql } from 'drizzle-orm'
import type { Audit } from '../../ports/repo.ts'
import { total } from '../accounts/users.ts'
import { all, type Db, keysetPage, matchesSearch, type Sorting, splitPage } from '../paging.ts'
import { audit } from '../tables.ts'

const sortings: Record<string, Sorting> = {
  At: { by: audit.at, type: 'timestamptz' },
  Actor: { by: sql`lower(${audit.actor})`, type: 'text' },
  Action: { by: sql`lower(${audit.action})`, type: 'text' },
}

export function auditOver(db: Db): Audit {
  return {
    async add({ ID, At, Actor, Action, Subject, Address }) {
      await db.insert(audit).values({
        id: ID,
        at: new Date(At),
        actor: Actor,
        action: Action,
        subject: Subject,
        address: Address,
      })
    },
    async list(page) {
      const { order, place, past } = keysetPage(sortings, '-At', page, audit.id)
      const wanted = matchesSearch(audit, page.search)
      const found = await db
        .select({ row: audit, place, id: audit.id })
        .from(audit)
        .where(all(wanted, past))
        .orderBy(...order)
        .limit(page.limit + 1)
      const { rows, next } = splitPage(found, page.limit)
      const [count] = await db.select({ total: total() }).from(audit).where(wanted)
      return { rows: rows.map(toEntry), next, total: count?.total ?? 0 }
    },
  }
}

function toEntry({ id, at, actor, action, subject, address }: typeof audit.$inferSelect) {
  return {
    ID: id,
    At: at.toISOString(),
    Actor: actor,
    Action: action,
    Subject: subject,
    Address: address,
  }
}
