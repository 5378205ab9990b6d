import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { AuditEntry } from '#contract/responses.ts'
import { idEndOf } from '#domain/deliveries/reference.ts'
import { actionsNamed } from '#domain/office/action-text.ts'
import { idsIn, withPeople } from '../../ports/stores/audit-names.ts'
import type { Audit } from '../../ports/stores/record-stores.ts'
import type { Db } from '../db.ts'
import { pagedList, type Sorting } from '../paged-list.ts'
import { matchesSearch } from '../search.ts'
import { audit, users } from '../tables.ts'

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
    async list(page) {
      const found = await pagedList(db, audit, {
        page,
        sortings,
        fallback: '-At',
        id: audit.id,
        where: matching(page.search),
        toRow: toEntry,
      })
      return { ...found, rows: await shown(db, found.rows) }
    },
    async has(action, subject) {
      const isOne = and(eq(audit.action, action), eq(audit.subject, subject))
      const rows = await db.select({ id: audit.id }).from(audit).where(isOne).limit(1)
      return rows.length > 0
    },
  }
}

/** Entries of the accounts whose e-mail or name matches; entries of earlier versions hold the e-mail itself. */
const isOfAccount = (search: string | undefined): SQL | undefined =>
  search
    ? sql`exists (select 1 from users where ${matchesSearch(users, search)}
        and (${audit.actor} = users.id::text or ${audit.subject} like '%' || users.id || '%'))`
    : undefined

async function shown(db: Db, entries: AuditEntry[]): Promise<AuditEntry[]> {
  const ids = idsIn(entries)
  const people = ids.length > 0 ? await db.select().from(users).where(inArray(users.id, ids)) : []
  return withPeople(entries, people)
}

/** The words of the screen count, too, and a reference finds the IDs it may stand for (R189). */
function matching(search: string | undefined): SQL | undefined {
  if (!search) return undefined
  const end = idEndOf(search)
  if (end) return sql`${audit.subject} ~ ${`${end}($|[^0-9a-f-])`}`
  return or(
    matchesSearch(audit, search),
    isOfAccount(search),
    inArray(audit.action, ['', ...actionsNamed(search)]),
  )
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
