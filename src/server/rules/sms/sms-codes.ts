import type { User } from '#domain/user.ts'
import { attemptKey, smsCode } from '../../limits/rate-limits.ts'
import type { Ports, SmsMessage } from '../../ports/ports.ts'
import type { Code, Purpose, Stores } from '../../ports/repo.ts'
import { equalSecrets } from '../../ports/secrets.ts'
import { codeMessage } from './sms-messages.ts'

/** Somebody who says they have the code that was sent to this number. */
type CodeAttempt = {
  phone: string
  purpose: Purpose
  code: string
  /** Of the caller. */
  address: string
  /** Whose code it must be; anybody's when missing. */
  userId?: string
}

/** Codes that prove a phone number: made, sent and used once (interfaces: limits). */
export function smsCodes({ secrets, clock }: Pick<Ports, 'secrets' | 'clock'>) {
  const hashOf = (userId: string, purpose: Purpose, code: string) =>
    secrets.keyed('sms-code', userId, purpose, code)
  /** Counts the wrong guesses at one code from one address: a stranger elsewhere cannot end it. */
  const attemptKeyOf = ({ hash, expiresAt }: Code, address: string) =>
    attemptKey(secrets, { name: 'sms-guess' }, JSON.stringify([hash, expiresAt, address]))

  /** A new code for this person at this number, and the text that brings it. */
  async function newCode(
    stores: Stores,
    user: User,
    purpose: Purpose,
    phone = user.phone_number,
  ): Promise<SmsMessage> {
    const code = secrets.digits(smsCode.digits)
    await stores.codes.put({
      userId: user.ID,
      purpose,
      phone,
      wrong: 0,
      hash: hashOf(user.ID, purpose, code),
      expiresAt: iso(clock() + smsCode.lives),
    })
    return codeMessage(phone, purpose, code, user.email)
  }

  /** Whether this address may still guess at a code. */
  async function isOpen({ attempts }: Stores, code: Code, address: string): Promise<boolean> {
    if (code.wrong >= smsCode.triesOfAll || Date.parse(code.expiresAt) <= clock()) return false
    return (await attempts.count(attemptKeyOf(code, address), iso(0))) < smsCode.tries
  }

  /** Takes as long as writing to a code, where there is none: time does not tell whether a number is known. */
  async function simulateCheck({ attempts }: Stores): Promise<void> {
    const id = secrets.id()
    const key = attemptKey(secrets, { name: 'sms-guess' }, 'nobody')
    await attempts.count(key, iso(0))
    await attempts.add({ id, key, at: iso(clock()) })
    await attempts.removeById(id)
  }

  /** Whose code this is; a wrong one is counted against every code that was sent to the number. */
  async function check(stores: Stores, guess: CodeAttempt): Promise<string | undefined> {
    const { phone, purpose, code, address, userId } = guess
    const open: Code[] = []
    for (const sent of await stores.codes.lock(phone, purpose)) {
      if (userId !== undefined && sent.userId !== userId) continue
      if (await isOpen(stores, sent, address)) open.push(sent)
    }
    const right = open.find(({ userId, hash }) =>
      equalSecrets(hash, hashOf(userId, purpose, code.trim())),
    )
    if (right) return right.userId
    if (open.length === 0) await simulateCheck(stores)
    for (const each of open) {
      await stores.codes.countWrong(each)
      const attempt = { id: secrets.id(), key: attemptKeyOf(each, address), at: iso(clock()) }
      await stores.attempts.add(attempt)
    }
    return undefined
  }

  /** As `check`, and the code is used up. */
  async function redeem(stores: Stores, guess: CodeAttempt): Promise<string | undefined> {
    const userId = await check(stores, guess)
    if (userId !== undefined) await stores.codes.end(userId, guess.purpose)
    return userId
  }

  return { newCode, pretend: simulateCheck, check, redeem }
}

const iso = (time: number) => new Date(time).toISOString()
