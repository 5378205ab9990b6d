import { hmac } from '@noble/hashes/hmac.js'
import { sha1 } from '@noble/hashes/legacy.js'

/* Time-based one-time passwords as authenticator apps make them (RFC 6238): SHA-1, six digits, 30 seconds. */

const seconds = 30
const digits = 6

/** The step of a moment (milliseconds since 1970). */
export const stepAt = (time: number): number => Math.floor(time / 1000 / seconds)

/** The code of one step. */
export function codeOf(secret: Uint8Array, step: number): string {
  const counter = new DataView(new ArrayBuffer(8))
  counter.setBigUint64(0, BigInt(step))
  const mac = new DataView(hmac(sha1, secret, new Uint8Array(counter.buffer)).buffer)
  const offset = mac.getUint8(mac.byteLength - 1) & 0xf
  const number = (mac.getUint32(offset) & 0x7fffffff) % 10 ** digits
  return String(number).padStart(digits, '0')
}

/** The step whose code this is: now, one before or one after, for clocks that differ; `undefined` when it is of none. */
export const stepOfCode = (secret: Uint8Array, code: string, time: number): number | undefined =>
  [0, -1, 1].map((n) => stepAt(time) + n).find((step) => codeOf(secret, step) === code)

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base32 without padding (RFC 4648), as authenticator apps take a secret. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => letters[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}
