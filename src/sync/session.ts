import { liveQuery } from 'dexie'
import { call, type Question } from '#contract/call.ts'
import type { Op, Takes } from '#contract/endpoints.ts'
import { Refused, Unreachable } from '#contract/errors.ts'
import { User } from '#domain/user.ts'
import { unsentKeys } from '#store/outbox.ts'
import type { Engine } from './engine.ts'
import { enter, leave } from './sign-in.ts'
import { deadline, type Tools } from './tools.ts'
import { uploadPhoto } from './upload.ts'

export type Session = ReturnType<typeof createSession>

/** Where the token and the user are also kept, by the names of spec §9. */
export type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * What cannot wait in a queue: logging in, signing up, codes by SMS. Each rejects with `Refused`
 * or `Unreachable`, whose message is for people.
 */
export function createSession(tools: Tools, engine: Engine, storage: Storage | undefined) {
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
    if (unsent === 'send') await engine.wake()
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

  /** Local storage is what a person, or another tab, may have changed while we were away. */
  async function start(): Promise<void> {
    await reconcile().catch(() => {})
    const changes = liveQuery(() => db.sessions.get('current'))
    changes.subscribe({
      next: (session) => mirror(session && !session.expired ? session : undefined),
      error: () => {},
    })
  }

  async function reconcile(): Promise<void> {
    if (!storage) return
    const token = storage.getItem('token')
    const session = await db.sessions.get('current')
    if (session?.expired || token === (session?.token ?? null)) return
    if (session && token === null) return leave(db, session.account, 'keep', clock.now())
    if (token !== null) await adopt(token)
  }

  async function adopt(token: string): Promise<void> {
    const kept = User.safeParse(parsed(storage?.getItem('user') ?? null))
    if (kept.success) await enter(db, kept.data, token)
    try {
      await enter(db, (await ask('me', { token })).user, token)
    } catch (error) {
      if (!(error instanceof Refused)) return
      mirror(undefined)
      if (kept.success) await leave(db, kept.data.ID, 'keep', clock.now())
    }
  }

  function mirror(session: { token: string; user: User } | undefined) {
    if (!storage) return
    if (session) {
      storage.setItem('token', session.token)
      storage.setItem('user', JSON.stringify(session.user))
    } else {
      storage.removeItem('token')
      storage.removeItem('user')
    }
  }

  return {
    ...{ start, login, signup, confirmPhone, resendCode, requestReset, resetPassword },
    ...{ unsentCount, logout, uploadNow },
  }
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

function inPlainWords(error: unknown): unknown {
  if (!(error instanceof Unreachable)) return error
  const said = error.status === undefined || error.status < 400 ? undefined : error.message
  const message = said ?? 'No connection right now. Please try again when you are back online.'
  return new Unreachable(message, error)
}
