import { sql } from 'drizzle-orm'
import type { Audit } from '../../ports/stores/record-stores.ts'
import type { Db } from '../db.ts'
import { pagedList, type Sorting } from '../paged-list.ts'
import { matchesSearch } from '../search.ts'
import { audit } from '../tables.ts'

const sortings: Record<string, Sorting> = {
  At: { by: audit.at, type: 'timestamptz' },
  Actor: { by: sql`lower(${audit.actor})`, type: 'text' },
  Action: { by: sql`lower(${audit.action})`, type: 'text' },
}

export function auditOver(db: Db): Audit {
  return {
    async add({ ID, At, Actor, Action, Subject, Address }) {
      const row = {
        id: ID,
        at: new Date(At),
        actor: Actor,
        action: Action,
        subject: Subject,
        address: Address,
      }
      await db.write(db.insert(audit).values(row))
    },
    list: (page) =>
      pagedList(db, audit, {
        page,
        sortings,
        fallback: '-At',
        id: audit.id,
        where: matchesSearch(audit, page.search),
        toRow: toEntry,
      }),
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
