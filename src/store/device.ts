import { Dexie } from 'dexie'
import type { Actor } from '#domain/delivery.ts'
import { guestAccount, type SomaDb } from './db.ts'

/** Where a logged-in person's rows are kept, or the guest's when nobody is logged in. */
export async function currentAccount(db: SomaDb): Promise<string> {
  const session = await db.sessions.get('current')
  return session?.account ?? guestAccount
}

/** Who the owner of `account` is towards a delivery; nobody when that account is not logged in. */
export async function actorFor(
  db: SomaDb,
  account: string,
  id: string,
): Promise<Actor | undefined> {
  if (account === guestAccount) return { guestOf: id }
  const session = await db.sessions.get('current')
  return session?.account === account ? { user: session.user } : undefined
}

/** The ID a delivery goes by now: a backend that hands out its own left an alias. */
export async function resolveId(db: SomaDb, account: string, id: string): Promise<string> {
  const alias = await db.aliases.get([account, id])
  return alias ? alias.server : id
}

/** Every key of an account in a compound index that begins with it. */
export const bounds = (account: string): [unknown[], unknown[]] => [
  [account, Dexie.minKey],
  [account, Dexie.maxKey],
]
