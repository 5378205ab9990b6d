import type { CallInput } from '#contract/calls/call.ts'
import type { Op } from '#contract/endpoints.ts'
import type { BodyOf } from '#contract/queries.ts'
import { Refused, Unreachable } from '#contract/wire-errors.ts'
import type { OfficeRole, User } from '#domain/users/user.ts'
import { withProof } from '#sync/challenge/with-proof.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import type { Engine } from '#sync/engine/engine.ts'
import { type ListRef, listKey } from '#sync/lists/list-ref.ts'
import { queueRevocation } from '#sync/logouts/revocations.ts'
import { endHolds } from '#sync/outbox/backoff.ts'
import type { SyncContext } from '#sync/platform/context.ts'
import { credentialsOfReader } from '../account/reader.ts'
import { signIn, signOut } from '../account/sign-in.ts'
import { saveUser } from '../deliveries/save/account-rows.ts'
import { stillDoubtful } from '../queries/outbox/discard-preview.ts'
import { countUnsynced } from '../queries/outbox/unsynced.ts'
import { required, timedCall } from '../requests/timed-call.ts'
import { idUploadPreset, uploadPhoto } from '../requests/upload-photo.ts'
import type { Session } from '../rows.ts'
import { currentSession } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'
import { guestNumber } from './guest-number.ts'
import type { LocalStorageSession } from './local-storage.ts'

export type AccountSession = ReturnType<typeof createSession>

/**
 * What cannot wait in a queue: logging in, signing up, codes by SMS. Each rejects with `Refused`
 * or `Unreachable`, whose message is for people.
 */
export function createSession(
  context: SyncContext<SomaDb>,
  engine: Engine,
  saveLocally: LocalStorageSession,
  discardAll: (account: string) => Promise<string[]>,
) {
  const { db, clock } = context
  /**
   * Between signup and the phone's verification, in memory alone: the login after it needs no typing,
   * and the code confirms this account and no other.
   */
  let pending: { email: string; password: string; token: string } | undefined

  async function ask<O extends Op>(op: O, question: CallInput = {}) {
    try {
      return await withProof(context, (proof) => askOnce(op, { ...question, proof }))
    } catch (error) {
      throw inPlainWords(error, clock.now())
    }
  }

  async function askOnce<O extends Op>(op: O, question: CallInput) {
    return required(await timedCall(context, op, question, 20_000))
  }

  /** `code`: of the second step, once the refusal `second-factor` asked for it (R213). */
  async function login(email: string, password: string, code?: string): Promise<User> {
    const { user, token } = await ask('login', { body: { email, password, code } })
    await begin(user, token)
    return user
  }

  /** The login of this account begins on this phone. */
  async function begin(user: User, token: string): Promise<void> {
    saveLocally({ token, user })
    await signIn(context, user, token)
    wakeEngine()
  }

  /** Opens an account at the office, and logs in with it (R209). */
  async function acceptInvitation(secret: string, body: BodyOf<'acceptInvitation'>): Promise<void> {
    const { user, token } = await ask('acceptInvitation', { id: secret, body })
    await begin(user, token)
  }

  /** Resolves to the link, which no server gives a second time (R209). */
  async function inviteColleague(body: BodyOf<'inviteColleague'>): Promise<string> {
    const { link } = await ask('inviteColleague', { body, token: await ownToken() })
    await refresh({ kind: 'adminColleagues' })
    return link
  }

  /** Changes the role of a colleague (R212). */
  async function changeColleague(id: string, role: OfficeRole): Promise<void> {
    await ask('changeColleague', { id, body: { role }, token: await ownToken() })
    await refresh({ kind: 'adminColleagues' })
  }

  /** Removes a colleague, or withdraws an invitation (R212). */
  async function removeColleague(id: string): Promise<void> {
    await ask('removeColleague', { id, token: await ownToken() })
    await refresh({ kind: 'adminColleagues' })
  }

  /** The second step of one's own login, or of a colleague's (R213, R214). */
  async function secondFactor<O extends Op & `${string}SecondFactor`>(op: O, question?: CallInput) {
    const value = await ask(op, { ...question, token: await ownToken() })
    await refresh({ kind: question?.id ? 'adminColleagues' : 'me' })
    return value
  }

  const wakeEngine = () =>
    void engine.wake().catch((error) => note('The engine was not woken', { error }))

  async function signup(payload: BodyOf<'signup'>): Promise<User> {
    const { email, password } = payload
    const { user, token } = await ask('signup', { body: payload }).catch(async (error) => {
      if (!(error instanceof Refused) || error.reason !== 'email-taken') throw error
      // Whoever knows its password signed up already, and the response was lost.
      return await ask('login', { body: { email, password } }).catch(() => Promise.reject(error))
    })
    pending = { email, password, token }
    if (user.Verified) await loginPending()
    return user
  }

  /** Returns the user when the automatic login could follow. */
  async function confirmPhone(phone: string, code: string): Promise<User | undefined> {
    const body = { phone_number: phone, code, type: 'phone_verification' }
    await ask('confirmPhone', { body, token: await ownToken() })
    if (pending) return loginPending()
    await refresh({ kind: 'me' })
    return (await currentSession(db))?.user
  }

  const refresh = (list: ListRef) =>
    engine
      .refresh(list)
      .catch((error) => note('A list was not refreshed', { error, request: listKey(list) }))

  /** The next pull compares with nothing: the server may have been restored to what it was before (S53). */
  const saveProfile = (user: User): Promise<void> =>
    db.transaction('rw', db.tables, async () => {
      await saveUser(db, user.ID, user)
      await db.pulls.update([user.ID, listKey({ kind: 'me' })], { etag: undefined })
    })

  /** Changes the name, e-mail or password of whoever is logged in (R144). */
  async function changeProfile(change: BodyOf<'changeProfile'>): Promise<void> {
    const before = (await currentSession(db))?.user
    const { user } = await ask('changeProfile', { body: change, token: await ownToken() })
    await saveProfile(user)
    if (before) await keepReplaced(before, user)
  }

  /** By which a change that comes back as it was can be told (R144). */
  async function keepReplaced(before: User, { ID, name, email }: User): Promise<void> {
    const keep = (session: Session) => {
      if (session.account !== ID) return
      session.replaced = {
        ...session.replaced,
        ...(name !== before.name && { name: before.name }),
        ...(email !== before.email && { email: before.email }),
        at: clock.now(),
      }
    }
    await db.sessions.where('key').equals('current').modify(keep)
  }

  /** Everything that the server holds about whoever is logged in, as a JSON file (R215). */
  async function personalData(): Promise<Blob> {
    const { data } = await ask('myData', { token: await ownToken() })
    return new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })
  }

  /** The account whose deletion got no response here. */
  let unanswered: string | undefined

  /**
   * Deletes the account of whoever is logged in, and everything of it on this phone (R216, S89). `onDeleted` is called when
   * the server has deleted it, and the session is still there: a screen that needs one can be left.
   */
  async function deleteAccount(password: string, onDeleted?: () => void): Promise<void> {
    const session = await currentSession(db)
    if (!session) return
    const { account } = session
    try {
      await ask('deleteMe', { body: { password }, token: await ownToken() })
    } catch (error) {
      const isGone = error instanceof Refused && error.reason === 'no-session'
      // The first one took effect, and its response was lost.
      if (!isGone || unanswered !== account) {
        if (error instanceof Unreachable) unanswered = account
        throw error
      }
    }
    unanswered = undefined
    onDeleted?.()
    saveLocally(undefined)
    await signOut(context, account, { unsent: 'discard' })
  }

  /**
   * A sender becomes a driver, or a rejected driver applies again (R6). An application that is there already, because its
   * response was lost or another tab has sent it, counts as sent.
   */
  async function applyAsDriver(id: BodyOf<'applyAsDriver'>): Promise<void> {
    const token = await ownToken()
    try {
      await saveProfile((await ask('applyAsDriver', { body: id, token })).user)
    } catch (error) {
      if (!(error instanceof Refused) || error.reason !== 'wrong-status') throw error
      const { user } = await ask('me', { token })
      await saveProfile(user)
      if (user.driverStatus !== 'pending') throw error
    }
  }

  /** A driver wants to be paid to another number: a code is sent to it (R175). */
  async function changePayout(number: BodyOf<'changePayout'>): Promise<void> {
    await ask('changePayout', { body: number, token: await ownToken() })
    await refresh({ kind: 'me' })
  }

  /**
   * Confirms that number by its code. One that was confirmed already, because the response was lost or by another tab, counts
   * as confirmed.
   */
  async function confirmPayout(code: string): Promise<void> {
    const token = await ownToken()
    try {
      await saveProfile((await ask('confirmPayout', { body: { code }, token })).user)
    } catch (error) {
      if (!(error instanceof Refused) || error.reason !== 'wrong-sms-code') throw error
      const { user } = await ask('me', { token })
      await saveProfile(user)
      if (user.pendingPayout || !user.payout) throw error
    }
  }

  /** The login with what was typed at the sign-up, once. */
  async function loginPending(): Promise<User | undefined> {
    const known = pending
    pending = undefined
    if (!known) return undefined
    const user = await login(known.email, known.password)
    // Nobody uses the token of the sign-up any more.
    if ((await currentSession(db))?.token !== known.token) {
      await queueRevocation(db, known.token, clock.now())
      void engine.revoke()
    }
    return user
  }

  /** Of the account that asks, where there is one: a code belongs to it. */
  const ownToken = async (): Promise<string | undefined> => {
    const session = await currentSession(db)
    return pending?.token ?? (session?.expired ? undefined : session?.token)
  }

  const resendCode = async (phone: string): Promise<void> => {
    await ask('resendCode', { body: { phone_number: phone }, token: await ownToken() })
  }

  const requestReset = async (phone: string): Promise<void> => {
    await ask('requestReset', { body: { phone_number: phone } })
  }

  const resetPassword = async (phone: string, code: string, password: string): Promise<void> => {
    await ask('resetPassword', { body: { phone_number: phone, code, new_password: password } })
  }

  /**
   * Asks for the money of a request anew, perhaps of another number, or hands in the voucher of the payer's network
   * (R176). For the guest who made it, too.
   */
  async function payDelivery(id: string, body: BodyOf<'payDelivery'> = {}): Promise<void> {
    const reader = await credentialsOfReader(db, id)
    await ask('payDelivery', { id, ...reader?.question, body })
    await refresh({ kind: 'delivery', id })
  }

  /** How much of the person logged in has not reached the server. */
  const unsentCount = () => countUnsynced(db)

  /**
   * `send` tries once more first; what still cannot leave stays for the next login. `discard` resolves to
   * the titles of what may still be with the server, or is (S56); `shown`: IDs of the entries that the person
   * meant, of which some may have been sent since.
   */
  async function logout(
    unsent: 'send' | 'keep' | 'discard',
    shown: readonly string[] = [],
  ): Promise<string[]> {
    const session = await currentSession(db)
    if (unsent === 'send') {
      if (session) await endHolds(db, session.account)
      await engine.flush()
    }
    const doubtful =
      session && unsent === 'discard' ? await takeBackUnsent(session.account, shown) : []
    saveLocally(undefined)
    if (!session) return []
    await signOut(context, session.account, {
      unsent: unsent === 'discard' ? 'discard' : 'keep',
      revoke: session.expired ? undefined : session.token,
    })
    // Without a network the engine goes on trying, also after a restart.
    await engine.revoke()
    return doubtful
  }

  /** What may have arrived is cancelled on the server first; resolves to the titles of what was not. */
  async function takeBackUnsent(account: string, shown: readonly string[]): Promise<string[]> {
    const ids = [...new Set([...(await discardAll(account)), ...shown])]
    if (ids.length === 0) return []
    await engine.flush()
    return stillDoubtful(db, ids)
  }

  /** The driver's ID photo at signup, when there is no account yet for an entry to belong to. */
  const uploadNow = async (bytes: ArrayBuffer, type: string): Promise<string> => {
    try {
      return await uploadPhoto(context, bytes, type, { preset: await idUploadPreset(context) })
    } catch (error) {
      throw inPlainWords(error, clock.now())
    }
  }

  /**
   * Takes over a session found in local storage: another tab's, or one put there by hand.
   * Rejects when nobody could be asked whose it is.
   */
  async function restore(token: string, user: User | undefined): Promise<void> {
    if (user) await signIn(context, user, token)
    try {
      await signIn(context, (await ask('me', { token })).user, token)
    } catch (error) {
      if (!(error instanceof Refused)) {
        if (user) return
        throw error
      }
      saveLocally(undefined)
      if (user) await signOut(context, user.ID)
    }
  }

  /** Local storage was cleared: whoever was logged in no longer is. */
  const clear = async (account: string): Promise<void> => {
    const session = await currentSession(db)
    const isTheirs = session?.account === account && !session.expired
    await signOut(context, account, { revoke: isTheirs ? session.token : undefined })
    void engine.revoke()
  }

  return {
    login,
    acceptInvitation,
    inviteColleague,
    changeColleague,
    removeColleague,
    secondFactor,
    signup,
    confirmPhone,
    changeProfile,
    personalData,
    deleteAccount,
    applyAsDriver,
    changePayout,
    confirmPayout,
    loginPending,
    resendCode,
    requestReset,
    resetPassword,
    ...guestNumber(context, ask, wakeEngine),
    payDelivery,
    unsentCount,
    logout,
    uploadNow,
    restore,
    clear,
  }
}

/** What is asked outside of the queue fails at once, with the time when the server named one. */
function inPlainWords(error: unknown, now: number): unknown {
  if (!(error instanceof Unreachable)) return error
  if (error.status === 429) return new Unreachable(tooMany(error.retryAfter, now), error)
  const said = error.status === undefined || error.status < 400 ? undefined : error.message
  const message = said ?? 'No connection right now. Please try again when you are back online.'
  return new Unreachable(message, error)
}

function tooMany(retryAfter: number | undefined, now: number): string {
  if (retryAfter === undefined) return 'Too many attempts. Try again in a few minutes.'
  const minute = 60_000
  const when = new Date(Math.ceil((now + retryAfter) / minute) * minute)
  const isToday = when.toDateString() === new Date(now).toDateString()
  const time = new Intl.DateTimeFormat('en-GH', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(isToday ? {} : { day: 'numeric', month: 'short' }),
  })
  return `Too many attempts. Try again at ${time.format(when)}.`
}
