import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { v7 } from 'uuid'
import type { Repo } from './repo.ts'

/** Cryptographically random bytes. */
export type Random = (length: number) => Uint8Array

/** Every function is synchronous, so that it can be called inside a transaction. */
export type Secrets = {
  /** A UUIDv7: sorts by the time it was made. */
  id(): string
  /** The token of a login: opaque, 256 bits. */
  sessionToken(): string
  /** The token of a guest's delivery (R54). */
  guestToken(): string
  /** The secret of an invitation (R209): 256 bits. */
  invitationSecret(): string
  /** Random bytes of a second factor (R213). */
  bytes(length: number): Uint8Array
  /** The stored form of a token. */
  hash(token: string): string
  /** Random digits, uniformly distributed; a leading zero is allowed. */
  digits(length: number): string
  /** A keyed hash of these parts. Parts that are split differently have another hash. */
  keyed(...parts: string[]): string
  seal(text: string, about: string): Uint8Array
  open(sealed: Uint8Array, about: string): string
}

const guestTokenPattern = /^g_/
export const isGuestToken = (token: string): boolean => guestTokenPattern.test(token)

const invitationPattern = /^[\w-]{43}$/
/** Whether a text has the form of `invitationSecret`. */
export const isInvitationSecret = (text: string): boolean => invitationPattern.test(text)

/** The two keys of a server. */
type Keys = {
  /** The key of hashes of requests, codes and limits. */
  pepper: Uint8Array
  /** The key that seals stored responses. */
  sealing: Uint8Array
}

/** The secrets of the demo in a page: its key is made at the first start and stored in its own database. */
export async function loadSecrets(repo: Repo, random: Random = browserRandom): Promise<Secrets> {
  const pepper = hexToBytes(
    await repo.transaction(({ settings }) => settings.keep('pepper', bytesToHex(random(32)))),
  )
  return secretsFrom(keysFromPepper(pepper), random)
}

/** The keys of a server whose one key is in its database, as before `SECRET_KEY`. */
export const keysFromPepper = (pepper: Uint8Array): Keys => ({
  pepper,
  sealing: keyedHash(pepper, 'seal'),
})

/** The secrets with these keys. */
export function secretsFrom({ pepper, sealing }: Keys, random: Random = browserRandom): Secrets {
  return {
    id: () => v7({ random: random(16) }),
    sessionToken: () => `u_${base64url(random(32))}`,
    guestToken: () => `g_${base64url(random(32))}`,
    invitationSecret: () => base64url(random(32)),
    bytes: random,
    hash: (token) => bytesToHex(sha256(utf8ToBytes(token))),
    digits: (length) => Array.from({ length }, () => digit(random)).join(''),
    keyed: (...parts) => bytesToHex(keyedHash(pepper, ...parts)),
    seal(text, about) {
      const nonce = random(24)
      const cipher = xchacha20poly1305(sealing, nonce, utf8ToBytes(about))
      return concatBytes(nonce, cipher.encrypt(utf8ToBytes(text)))
    },
    open(sealed, about) {
      const cipher = xchacha20poly1305(sealing, sealed.subarray(0, 24), utf8ToBytes(about))
      return new TextDecoder().decode(cipher.decrypt(sealed.subarray(24)))
    },
  }
}

/** A keyed hash of these parts. Parts that are split differently have another hash. */
export const keyedHash = (key: Uint8Array, ...parts: string[]) =>
  hmac(sha256, key, utf8ToBytes(JSON.stringify(parts)))

export const browserRandom: Random = (length) => crypto.getRandomValues(new Uint8Array(length))

/** Compares in a time that does not depend on where the texts differ. */
export function equalSecrets(a: string, b: string): boolean {
  const [one, two] = [sha256(utf8ToBytes(a)), sha256(utf8ToBytes(b))]
  return one.reduce((differ, byte, at) => differ | (byte ^ (two[at] ?? 0)), 0) === 0
}

/** Bytes from 250 up are skipped: they would make low digits more likely. */
function digit(random: Random): number {
  for (;;) {
    const [byte = 255] = random(1)
    if (byte < 250) return byte % 10
  }
}

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
