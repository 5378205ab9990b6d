import type { User } from '#domain/user.ts'
import type { Gateways, Text } from './gateways.ts'
import { smsCode } from './limits.ts'
import type { Purpose, Stores } from './repo.ts'
import { sameSecret } from './secrets.ts'
import { codeText } from './texts.ts'

/** Codes that prove a phone number: made, sent and used once (interfaces: limits). */
export function smsCodes({ secrets, clock }: Pick<Gateways, 'secrets' | 'clock'>) {
  const hashOf = (userId: string, purpose: Purpose, code: string) =>
    secrets.keyed('sms-code', userId, purpose, code)

  /** A new code for this person, and the text that brings it. */
  async function newCode(stores: Stores, user: User, purpose: Purpose): Promise<Text> {
    const code = secrets.digits(smsCode.digits)
    await stores.codes.put({
      ...{ userId: user.ID, purpose, phone: user.phone_number, wrong: 0 },
      hash: hashOf(user.ID, purpose, code),
      expiresAt: new Date(clock() + smsCode.lives).toISOString(),
    })
    return codeText(user.phone_number, purpose, code)
  }

  /** Whose code this is, once; a wrong one is counted against every code that was sent to the number. */
  async function redeem(
    stores: Stores,
    phone: string,
    purpose: Purpose,
    code: string,
  ): Promise<string | undefined> {
    const sent = await stores.codes.lock(phone, purpose)
    const live = sent.filter(
      ({ wrong, expiresAt }) => wrong < smsCode.tries && Date.parse(expiresAt) > clock(),
    )
    const right = live.find(({ userId, hash }) =>
      sameSecret(hash, hashOf(userId, purpose, code.trim())),
    )
    if (right) {
      await stores.codes.end(right.userId, purpose)
      return right.userId
    }
    for (const each of live) await stores.codes.countWrong(each)
    return undefined
  }

  return { newCode, redeem }
}
