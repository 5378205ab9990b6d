import { pbkdf2Async } from '@noble/hashes/pbkdf2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Passwords } from '#server/ports/ports.ts'
import { browserRandom, equalSecrets } from '#server/ports/secrets.ts'

/** Few, so that a page stays responsive: the demo's password is public anyway. */
const iterations = 2_000

/** PBKDF2 in JavaScript, because hosts without HTTPS have no WebCrypto. */
export const demoPasswords: Passwords = {
  hash: (password) => hashWith(password, browserRandom(16)),
  async verify(stored, password) {
    const salt = stored?.split('$')[0] ?? '00'
    const isRight = equalSecrets(stored ?? '', await hashWith(password, hexToBytes(salt)))
    return stored !== undefined && isRight
  },
}

async function hashWith(password: string, salt: Uint8Array): Promise<string> {
  const key = await pbkdf2Async(sha256, password, salt, { c: iterations, dkLen: 32 })
  return `${bytesToHex(salt)}$${bytesToHex(key)}`
}
