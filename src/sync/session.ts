import type { Takes } from '#contract/asks.ts'
import { call, type Question } from '#contract/call.ts'
import type { Op } from '#contract/endpoints.ts'
import { Refused, Unreachable } from '#contract/errors.ts'
import type { User } from '#domain/user.ts'
import { unsentKeys } from '#store/outbox.ts'
import type { Engine } from './engine.ts'
import type { Mirror } from './mirror.ts'
import { enter, leave } from './sign-in.ts'
import { deadline, type Tools } from './tools.ts'
import { uploadPhoto } from './upload.ts'

export type Session = ReturnType<typeof createSession>

/**
 * What cannot wait in a queue: logging in, signing up, codes by SMS. Each rejects with `Refused`
 * or `Unreachable`, whose message is for people.
 */
export function createSession(tools: Tools, engine: Engine, mirror: Mirror) {
  const { db, clock } = tools
  /** Between signup and the phone's verification, so that the login after it needs no typing. */
  let pending: { email: string; password: string } | undefined

  async function ask<O extends Op>(op: O, question: Question = {}) {
    const { signal, clear } = deadline(clock, 20_000)
    try {
      const { value } = await call(tools.transport, tools.base, op, { ...question, signal })
      if (!value) throw new Unreachable('Not our answer')
      return value
    } catch (error) {
      throw inPlainWords(error)
    } finally {
      clear()
    }
  }

  async function login(email: string, password: string): Promise<User> {
    const { user, token } = await ask('login', { body: { email, password } })
    mirror({ token, user })
    await enter(db, user, token)
    void engine.wake().catch(() => {})
    return user
  }

  async function signup(payload: Takes<'signup'>): Promise<User> {
    const { user } = await ask('signup', { body: payload })
    pending = { email: payload.email, password: payload.password }
    if (user.Verified) await loginPending()
    return user
  }

  /** Returns the user when the automatic login could follow. */
  async function confirmPhone(phone: string, code: string): Promise<User | undefined> {
    const body = { phone_number: phone, code, type: 'phone_verification' }
    await ask('confirmPhone', { body })
    if (pending) return loginPending()
    await engine.refresh('me').catch(() => {})
    return (await db.sessions.get('current'))?.user
  }

  async function loginPending(): Promise<User | undefined> {
    const known = pending
    pending = undefined
    return known ? login(known.email, known.password) : undefined
  }

  const resendCode = async (phone: string): Promise<void> => {
    await ask('resendCode', { body: { phone_number: phone } })
  }

  const requestReset = async (phone: string): Promise<void> => {
    await ask('requestReset', { body: { phone_number: phone } })
  }

  const resetPassword = async (phone: string, code: string, password: string): Promise<void> => {
    await ask('resetPassword', { body: { phone_number: phone, code, new_password: password } })
  }

  /** How many entries of the person logged in have not reached the server. */
  const unsentCount = async (): Promise<number> => {
    const session = await db.sessions.get('current')
    if (!session) return 0
    return db.outbox.where('[account+state]').anyOf(unsentKeys(session.account)).count()
  }

  /** `send` tries once more first; what still could not leave is kept for the next login. */
  async function logout(unsent: 'send' | 'keep' | 'discard'): Promise<void> {
    const session = await db.sessions.get('current')
    if (unsent === 'send') await engine.flush()
    mirror(undefined)
    if (!session) return
    await leave(db, session.account, unsent === 'discard' ? 'discard' : 'keep', clock.now())
    // Without a network the token simply dies of disuse.
    await ask('logout', { token: session.token, body: {} }).catch(() => {})
  }

  /** The driver's ID photo at signup, when there is no account yet for an entry to belong to. */
  const uploadNow = async (bytes: ArrayBuffer, type: string): Promise<string> => {
    try {
      return await uploadPhoto(tools, bytes, type)
    } catch (error) {
      throw inPlainWords(error)
    }
  }

  /**
   * Takes over a session that local storage tells of: another tab's, or one put there by hand.
   * Rejects when nobody could be asked whose it is.
   */
  async function adopt(token: string, user: User | undefined): Promise<void> {
    if (user) await enter(db, user, token)
    try {
      await enter(db, (await ask('me', { token })).user, token)
    } catch (error) {
      if (!(error instanceof Refused)) {
        if (user) return
        throw error
      }
      mirror(undefined)
      if (user) await leave(db, user.ID, 'keep', clock.now())
    }
  }

  /** Local storage was cleared: whoever was logged in no longer is. */
  const abandon = (account: string): Promise<void> => leave(db, account, 'keep', clock.now())

  return {
    ...{ login, signup, confirmPhone, resendCode, requestReset, resetPassword },
    ...{ unsentCount, logout, uploadNow, adopt, abandon },
  }
}

function inPlainWords(error: unknown): unknown {
  if (!(error instanceof Unreachable)) return error
  const said = error.status === undefined || error.status < 400 ? undefined : error.message
  const message = said ?? 'No connection right now. Please try again when you are back online.'
  return new Unreachable(message, error)
}
