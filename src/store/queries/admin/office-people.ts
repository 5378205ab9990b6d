import { getState } from '#sync/database/device/state.ts'
import { currentAccount } from '../../session.ts'
import type { Colleagues, SomaDb } from '../../soma-db.ts'

export type { Colleagues }

/** Who works at the office and who is invited (R209); `null` until it was pulled (the list `adminColleagues`). */
export const adminColleagues = async (db: SomaDb, account?: string): Promise<Colleagues | null> =>
  (await getState(db, `colleagues:${account ?? (await currentAccount(db))}`)) ?? null
