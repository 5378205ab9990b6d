import { codeOf, stepAt } from '#server/rules/accounts/totp.ts'
import { present } from '../present.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code that an authenticator app shows for this secret (base32) at this time (milliseconds), or so many steps later. */
export function appCode(secret: string, time: number, steps = 0): string {
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'))
  const bytes = present(bits.join('').match(/.{8}/g)).map((byte) => Number.parseInt(byte, 2))
  return codeOf(new Uint8Array(bytes), stepAt(time) + steps)
}
