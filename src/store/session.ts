import { type Collection, Dexie, type PromiseExtended, type Table } from 'dexie'
import type { Actor } from '#domain/deliveries/delivery.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import type { Session } from './rows.ts'
import type { SomaDb } from './soma-db.ts'

/** The account whose rows this device shows: the person's who is logged in, else the guest's. */
export const currentAccount = async (db: SomaDb): Promise<string> =>
  accountOf(await currentSession(db))

/** The account of a login, or of nobody's. */
export const accountOf = (session: Session | null | undefined): string =>
  session?.account ?? guestAccount

/**
 * Reads two things at once, inside a transaction or a live query. Only Dexie's own promises, never
 * those of `async` functions: several of these at once, and Dexie loses track of where they belong,
 * so that what follows is outside the transaction and unseen by the live query.
 */
export const zip = <A, B>(
  one: PromiseExtended<A>,
  other: PromiseExtended<B>,
): PromiseExtended<[A, B]> => one.then((first) => other.then((second): [A, B] => [first, second]))

/** Who the owner of `account` is towards a delivery; nobody when that account is not logged in. */
export async function actorFor(
  db: SomaDb,
  account: string,
  id: string,
): Promise<Actor | undefined> {
  return actorOf(account === guestAccount ? undefined : await currentSession(db), account, id)
}

/** The login on this device; nothing when nobody is logged in. */
export const currentSession = (db: SomaDb): PromiseExtended<Session | undefined> =>
  db.sessions.get('current')

/** Whose a guest's record is that is made now (R58). */
export const loginOf = (session: Session | undefined): { login?: string } =>
  session && !session.expired ? { login: session.account } : {}

/** As `actorFor`, for one who has read the session. */
export function actorOf(
  session: Session | undefined,
  account: string,
  id: string,
): Actor | undefined {
  if (account === guestAccount) return { guestOf: id }
  return session?.account === account ? { user: session.user } : undefined
}

/**
 * Whether rows of `account` may be written now: of a guest always, of a person while they are logged in
 * and the server takes their token (S59).
 */
export const mayStoreRows = (session: Session | undefined, account: string): boolean =>
  account === guestAccount || (session?.account === account && !session.expired)

/** Every key of an account in a compound index that begins with it. */
export const bounds = (account: string): [unknown[], unknown[]] => [
  [account, Dexie.minKey],
  [account, Dexie.maxKey],
]

/** An account's rows in a table, sorted by the second key of the compound index of accounts and `by`. */
export const ofAccount = <T, K>(
  table: Table<T, K>,
  by: string,
  account: string,
): Collection<T, K> => table.where(`[account+${by}]`).between(...bounds(account))
