import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { Refusal } from '#domain/errors.ts'
import { product } from '#domain/product.ts'
import { countAttempt, findTooMany } from '../../limits/rate-limits.ts'
import type { Limit } from '../../ports/limits.ts'
import type { Stores } from '../../ports/repo.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { Account, SecondFactor } from '../../ports/stores/account-stores.ts'
import { base32, stepOfCode } from './totp.ts'

/** How many recovery codes there are (R213). */
const recoveryCodes = 10

/** A new secret, not confirmed yet; with it as text and as the link that an authenticator app reads (R213). */
export function newSecondFactor(secrets: Secrets, { ID, email }: { ID: string; email: string }) {
  const bytes = secrets.bytes(20)
  const secret = base32(bytes)
  const name = `${encodeURIComponent(product)}:${encodeURIComponent(email)}`
  const link = `otpauth://totp/${name}?secret=${secret}&issuer=${encodeURIComponent(product)}`
  const sealed = bytesToHex(secrets.seal(bytesToHex(bytes), sealedFor(ID)))
  const factor: SecondFactor = { sealed, isOn: false, recovery: [] }
  return { factor, secret, link }
}

/** New recovery codes, and what is stored of them. */
export function newRecoveryCodes(secrets: Secrets, userId: string) {
  const codes = Array.from({ length: recoveryCodes }, () =>
    base32(secrets.bytes(10)).replace(/(.{4})(?=.)/g, '$1-'),
  )
  return { codes, recovery: codes.map((code) => hashOf(secrets, userId, code)) }
}

/** What began with the right password: released when the code is right, or not there yet (R61). */
type Attempt = Record<'release' | 'fail', (stores: Stores) => Promise<void>>

/**
 * Lets the code of a login count, where the account has a second factor (R213), and ends the attempt. The account's row is
 * locked. Returns the refusal, whose transaction commits.
 */
export async function takeCode(
  stores: Stores,
  secrets: Secrets,
  { ID, factor }: Pick<Account, 'ID' | 'factor'>,
  {
    code,
    at,
    attempt,
    limit,
  }: { code: string | undefined; at: string; attempt: Attempt; limit: Limit },
): Promise<Refusal | undefined> {
  const isNeeded = factor?.isOn === true
  const tooMany =
    isNeeded && code !== undefined && (await findTooMany(stores, secrets, limit, ID, at))
  if (tooMany) {
    await attempt.release(stores)
    return tooMany
  }
  const after = isNeeded && code !== undefined && afterCode(secrets, ID, factor, code, at)
  if (isNeeded && code !== undefined && !after) {
    await attempt.fail(stores)
    await countAttempt(stores, secrets, limit, ID, at)
    return wrongCode()
  }
  await attempt.release(stores)
  if (after) await stores.users.change(ID, { factor: after })
  return isNeeded && !after ? new Refusal('second-factor') : undefined
}

/**
 * The second factor once this code has counted (R213): one of the app that is newer than the last, or one of the recovery
 * codes. `undefined` for any other. `at`: ISO 8601.
 */
export function afterCode(
  secrets: Secrets,
  userId: string,
  factor: SecondFactor,
  code: string,
  at: string,
): SecondFactor | undefined {
  const typed = code.replace(/\s/g, '')
  if (/^\d{6}$/.test(typed)) {
    const secret = hexToBytes(secrets.open(hexToBytes(factor.sealed), sealedFor(userId)))
    const step = stepOfCode(secret, typed, Date.parse(at))
    const isNew = step !== undefined && step > (factor.lastStep ?? 0)
    return isNew ? { ...factor, lastStep: step } : undefined
  }
  const hash = hashOf(secrets, userId, typed)
  const recovery = factor.recovery.filter((each) => each !== hash)
  return recovery.length < factor.recovery.length ? { ...factor, recovery } : undefined
}

/** A code that is not right, or was used before. */
export const wrongCode = () =>
  new Refusal('second-factor', 'Wrong code, or one that was used. Wait for the next one.')

const sealedFor = (userId: string) => `second factor ${userId}`

const hashOf = (secrets: Secrets, userId: string, code: string) =>
  secrets.keyed('recovery code', userId, code.replace(/-/g, '').toUpperCase())
