import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { v7 } from 'uuid'
import type { Repo } from './repo.ts'

/** Bytes nobody can foresee. */
export type Random = (length: number) => Uint8Array

/** All of it is done at once, without waiting, so that it may be done inside a transaction. */
export type Secrets = {
  /** A UUIDv7: sorts by the time it was made. */
  id(): string
  /** For a person with an account; opaque, 256 bits. */
  sessionToken(): string
  /** For the guest of one delivery. */
  guestToken(): string
  /** What is kept of a token. */
  hash(token: string): string
  /** Uniform digits; a leading zero is as good as any. */
  digits(length: number): string
  /** A fingerprint only this server can make, of parts that cannot run into each other. */
  keyed(...parts: string[]): string
  seal(text: string, about: string): Uint8Array
  open(sealed: Uint8Array, about: string): string
}

const guestTokenPattern = /^g_/
export const isGuestToken = (token: string): boolean => guestTokenPattern.test(token)

/** The keys everything is derived from. */
type Keys = {
  /** Keys fingerprints and IDs of requests, codes and limits. */
  pepper: Uint8Array
  /** Seals stored answers. */
  sealing: Uint8Array
}

/** For the demo in a page: the key is made at the first start and kept in its own database. */
export async function loadSecrets(repo: Repo, random: Random = browserRandom): Promise<Secrets> {
  const pepper = hexToBytes(
    await repo.transaction(({ settings }) => settings.keep('pepper', bytesToHex(random(32)))),
  )
  return secretsFrom(keysFromPepper(pepper), random)
}

/** The keys of a server that keeps its one key in its database, as every server before `SECRET_KEY` did. */
export const keysFromPepper = (pepper: Uint8Array): Keys => ({
  pepper,
  sealing: keyedHash(pepper, 'seal'),
})

export function secretsFrom({ pepper, sealing }: Keys, random: Random = browserRandom): Secrets {
  return {
    id: () => v7({ random: random(16) }),
    sessionToken: () => `u_${base64url(random(32))}`,
    guestToken: () => `g_${base64url(random(32))}`,
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

/** A keyed hash of parts that cannot run into each other. */
export const keyedHash = (key: Uint8Array, ...parts: string[]) =>
  hmac(sha256, key, utf8ToBytes(JSON.stringify(parts)))

export const browserRandom: Random = (length) => crypto.getRandomValues(new Uint8Array(length))

/** Takes as long for a near miss as for a far one. */
export function equalSecrets(a: string, b: string): boolean {
  const [one, two] = [sha256(utf8ToBytes(a)), sha256(utf8ToBytes(b))]
  return one.reduce((differ, byte, at) => differ | (byte ^ (two[at] ?? 0)), 0) === 0
}

/** 250 is the last multiple of ten in a byte: what is above would favour the low digits. */
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
