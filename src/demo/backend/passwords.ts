import { pbkdf2Async } from '@noble/hashes/pbkdf2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Passwords } from '#server/ports/ports.ts'
import { browserRandom, equalSecrets } from '#server/ports/secrets.ts'

/**
 * PBKDF2 at a cost a page does not feel: everybody knows the demo's password. Not WebCrypto's,
 * which is missing on hosts without HTTPS.
 */
const iterations = 2_000

export const demoPasswords: Passwords = {
  hash: (password) => hashed(password, browserRandom(16)),
  async verify(kept, password) {
    const salt = kept?.split('$')[0] ?? '00'
    const right = equalSecrets(kept ?? '', await hashed(password, hexToBytes(salt)))
    return kept !== undefined && right
  },
}

async function hashed(password: string, salt: Uint8Array): Promise<string> {
  const key = await pbkdf2Async(sha256, password, salt, { c: iterations, dkLen: 32 })
  return `${bytesToHex(salt)}$${bytesToHex(key)}`
}
