import type { User } from '#domain/users/user.ts'
import { attemptKey } from '../../limits/rate-limits.ts'
import { smsCode } from '../../ports/limits.ts'
import type { Ports, SmsMessage } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import { equalSecrets } from '../../ports/secrets.ts'
import type { Code, Purpose } from '../../ports/stores/account-stores.ts'
import { codeMessage } from './sms-messages.ts'

/** One attempt to use a code that was sent to this number. */
type CodeAttempt = {
  phone: string
  purpose: Purpose
  code: string
  /** The caller's. */
  address: string
  /** The account the code must be for; any when missing. */
  userId?: string
}

/** SMS codes: they live ten minutes, work once, and end after five wrong tries (R62). */
export function smsCodes({
  secrets,
  clock,
  options,
}: Pick<Ports, 'secrets' | 'clock' | 'options'>) {
  const host = new URL(options.publicOrigin).hostname
  const hashOf = (userId: string, purpose: Purpose, code: string) =>
    secrets.keyed('sms-code', userId, purpose, code)
  /** Wrong tries are counted for each address, so that a stranger elsewhere cannot end the code. */
  const attemptKeyOf = ({ hash, expiresAt }: Code, address: string) =>
    attemptKey(secrets, { name: 'sms-guess' }, JSON.stringify([hash, expiresAt, address]))

  /** Stores a new code for this person and number, and returns the SMS that carries it. */
  async function newCode(
    stores: Stores,
    user: Pick<User, 'ID' | 'phone_number' | 'email'>,
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
    return codeMessage({ to: phone, purpose, code, email: user.email, host })
  }

  /** Whether this address has tries left at a code that has not expired. */
  async function isOpen({ attempts }: Stores, code: Code, address: string): Promise<boolean> {
    if (code.wrong >= smsCode.triesOfAll || Date.parse(code.expiresAt) <= clock()) return false
    return (await attempts.count(attemptKeyOf(code, address), iso(0))) < smsCode.tries
  }

  /** Writes as much as a wrong try does, so that the time does not show whether a number has an account (R56). */
  async function simulateCheck({ attempts }: Stores): Promise<void> {
    const id = secrets.id()
    const key = attemptKey(secrets, { name: 'sms-guess' }, 'nobody')
    await attempts.count(key, iso(0))
    await attempts.add({ id, key, at: iso(clock()) })
    await attempts.removeById(id)
  }

  /** The ID of the account whose code this is. A wrong one is counted against every code sent to the number. */
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

  /** As `check`, and deletes the code. */
  async function redeem(stores: Stores, guess: CodeAttempt): Promise<string | undefined> {
    const userId = await check(stores, guess)
    if (userId !== undefined) await stores.codes.end(userId, guess.purpose)
    return userId
  }

  return { newCode, pretend: simulateCheck, check, redeem }
}

const iso = (time: number) => new Date(time).toISOString()
