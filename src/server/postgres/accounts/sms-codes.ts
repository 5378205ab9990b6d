import { and, asc, eq, lt, sql } from 'drizzle-orm'
import type { Code, Codes } from '../../ports/stores/account-stores.ts'
import type { Db } from '../db.ts'
import { codes } from '../tables.ts'

export function codesOver(db: Db): Codes {
  const of = ({ userId, purpose }: Pick<Code, 'userId' | 'purpose'>) =>
    and(eq(codes.userId, userId), eq(codes.purpose, purpose))
  return {
    async put(code) {
      const row = { ...code, expiresAt: new Date(code.expiresAt) }
      await db
        .insert(codes)
        .values(row)
        .onConflictDoUpdate({ target: [codes.userId, codes.purpose], set: row })
    },
    async lock(phone, purpose) {
      const rows = await db
        .select()
        .from(codes)
        .where(and(eq(codes.phone, phone), eq(codes.purpose, purpose)))
        .orderBy(asc(codes.userId))
        .for('update')
      return rows.map((row) => ({ ...row, expiresAt: row.expiresAt.toISOString() }))
    },
    async countWrong(code) {
      await db
        .update(codes)
        .set({ wrong: sql`${codes.wrong} + 1` })
        .where(of(code))
    },
    async end(userId, purpose) {
      await db.delete(codes).where(of({ userId, purpose }))
    },
    async sweep(expiredBefore) {
      await db.delete(codes).where(lt(codes.expiresAt, new Date(expiredBefore)))
    },
  }
}
