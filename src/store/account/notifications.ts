import type { PromiseExtended } from 'dexie'
import { type GuestRecord, isGuestRecordValid } from '#domain/deliveries/guest.ts'
import { getState, putState, type SubjectState } from '#sync/database/device/state.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { isReadableGuest } from '../deliveries/row-schema.ts'
import { currentAccount } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'
import { hiddenGuests } from './hidden-guests.ts'

/** What a person chose on this phone; nothing while they were not asked. */
export type NotificationChoice = 'on' | 'off' | 'dismissed'

/** A login or a guest's delivery whose server is to be told of this browser, or is to forget it (R117). */
export type NotifiedLogin = { account: string; token: string; wanted: boolean }

/** The choice of whoever uses this phone now. */
export async function saveNotificationChoice(
  db: SomaDb,
  choice: NotificationChoice,
): Promise<void> {
  await db.transaction('rw', [db.meta, db.sessions], async () => {
    const account = await currentAccount(db)
    const state = await getState(db, `notifications:${account}`)
    await putState(db, `notifications:${account}`, { ...state, choice })
  })
}

/** A token is never stored twice: its last signs tell it from others. */
const tokenEndOf = ({ token }: Pick<NotifiedLogin, 'token'>) => token.slice(-8)

/**
 * The logins of this phone whose server does not know yet what was chosen. `endpoint`: the browser's address, to
 * find those that know another; `now`: milliseconds since 1970.
 */
export function unreportedLogins(
  db: SomaDb,
  now: number,
  endpoint?: string,
): PromiseExtended<NotifiedLogin[]> {
  // One transaction: a live query that awaits this loses track of nothing it reads.
  return db.transaction('r', [db.sessions, db.guests, db.meta], async () => {
    const session = await db.sessions.get('current')
    const guests = (await db.guests.toArray()).filter(isReadableGuest).filter(isOpen(now))
    const hidden = await hiddenGuests(db)
    const logins = [
      ...(session && !session.expired
        ? [{ account: session.account, token: session.token, isHidden: false }]
        : []),
      ...guests.map(({ id, guestToken }) => ({
        account: guestAccount,
        token: guestToken ?? '',
        isHidden: hidden.has(id),
      })),
    ]
    const found: NotifiedLogin[] = []
    for (const { isHidden, ...login } of logins) {
      const state = await getState(db, `notifications:${login.account}`)
      const reported = state?.reported?.[tokenEndOf(login)]
      const wanted = state?.choice === 'on' && !isHidden
      const isKnown = reported !== undefined && (endpoint === undefined || reported === endpoint)
      if (wanted ? !isKnown : reported !== undefined) found.push({ ...login, wanted })
    }
    return found
  })
}

const isOpen = (now: number) => (record: GuestRecord) =>
  record.guestToken !== undefined && isGuestRecordValid(record, now)

/** The server of this login knows the browser's address, or none any more. */
export async function noteReported(
  db: SomaDb,
  login: NotifiedLogin,
  endpoint: string | undefined,
): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    const state = await getState(db, `notifications:${login.account}`)
    if (!state) return
    const { [tokenEndOf(login)]: _, ...others } = state.reported ?? {}
    const reported = endpoint === undefined ? others : { ...others, [tokenEndOf(login)]: endpoint }
    await putState(db, `notifications:${login.account}`, { ...state, reported })
  })
}

/** What keeps this account from being told; nothing where it is told. */
export async function noteNotificationProblem(
  db: SomaDb,
  account: string,
  problem: SubjectState['notifications']['problem'],
): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    const state = await getState(db, `notifications:${account}`)
    // A write would wake whoever follows this, who would try again at once.
    if (!state || state.problem === problem) return
    await putState(db, `notifications:${account}`, { ...state, problem })
  })
}

/** The server's public key for push messages; nothing where it sends none, or is not known yet. */
export async function pushKey(db: SomaDb): Promise<string | undefined> {
  const config = (await getState(db, 'config')) as { pushKey?: unknown } | undefined
  return typeof config?.pushKey === 'string' ? config.pushKey : undefined
}
