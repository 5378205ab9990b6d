import { asc, eq, sql } from 'drizzle-orm'
import type { Ledger, Transfer } from '../../ports/stores/record-stores.ts'
import type { Db } from '../db.ts'
import { insertOf } from '../prepared.ts'
import { moneyByDay, moneyTotals } from '../records/money.ts'
import { entries, transfers } from '../tables.ts'

export function ledgerOver(db: Db): Ledger {
  const addTransfer = insertOf(db, transfers, ['id', 'deliveryId', 'kind', 'at'])
  const addEntry = insertOf(db, entries, ['transferId', 'account', 'pesewas'])
  return {
    async post({ id, deliveryId, kind, at, entries: lines }) {
      await addTransfer({ id, deliveryId, kind, at: new Date(at) })
      for (const line of lines) await addEntry({ transferId: id, ...line })
    },
    async of(deliveryId) {
      const rows = await db
        .select()
        .from(transfers)
        .where(eq(transfers.deliveryId, deliveryId))
        .orderBy(asc(transfers.at), asc(transfers.id))
      const found: Transfer[] = []
      // One after another: a transaction has one connection, which takes one statement at a time.
      for (const { at, ...transfer } of rows)
        found.push({
          ...transfer,
          at: at.toISOString(),
          entries: await db
            .select({ account: entries.account, pesewas: entries.pesewas })
            .from(entries)
            .where(eq(entries.transferId, transfer.id))
            .orderBy(asc(entries.pesewas)),
        })
      return found
    },
    async balance(account) {
      const [found] = await db
        .select({ sum: sql<string>`coalesce(sum(${entries.pesewas}), 0)` })
        .from(entries)
        .where(eq(entries.account, account))
      return Number(found?.sum ?? 0)
    },
    totals: () => moneyTotals(db),
    totalsByDay: (days) => moneyByDay(db, days),
  }
}
