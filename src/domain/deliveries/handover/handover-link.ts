/* What a link and a QR code of a hand-over say (R110), and what follows from it. Without packages: the recipient's page loads it. */

/** Milliseconds after its end in which the recipient still sees a parcel (R111). */
export const recipientMemory = 24 * 60 * 60_000

/** Bytes of the secret that proves a hand-over (R110). */
export const secretBytes = 16

/** The secret in base64url without padding: 22 signs, of which the last holds two bits. */
export const secretPattern = /^[A-Za-z0-9_-]{21}[AQgw]$/

/** What stands before the secret where a track token is made of it (R111). */
const trackPrefix = 'soma track'
/** A recipient's track token: `t_` and a SHA-256 in base64url. */
export const trackTokenPattern = /^t_[A-Za-z0-9_-]{43}$/

export const toBase64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Throws when the text is no base64. */
export const fromBase64url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) =>
    sign.charCodeAt(0),
  )

/** The bytes whose SHA-256 makes the recipient's token of a secret (R111). */
export function trackSeed(secret: Uint8Array): Uint8Array<ArrayBuffer> {
  const prefix = new TextEncoder().encode(trackPrefix)
  const bytes = new Uint8Array(prefix.length + secret.length)
  bytes.set(prefix)
  bytes.set(secret, prefix.length)
  return bytes
}

/** The recipient's token, of the SHA-256 of `trackSeed`. */
export const trackTokenOf = (hash: Uint8Array): string => `t_${toBase64url(hash)}`

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** What a link or QR code of a hand-over says. `code`: the five digits, where the sender's phone knew them. */
export type HandoverLink = { id: string; secret: string; code?: string }

/** The text of the link and of the QR code. `origin`: without a slash at its end. */
export const handoverLink = (origin: string, { id, secret, code }: HandoverLink): string =>
  `${origin}/h/${id}#${secret}${code ? `.${code}` : ''}`

/** Apps that pass a link on add parameters that count clicks, encode its `#`, and join it to the words around it. */
const linkPattern =
  /\/h\/([0-9a-f-]{36})[^\s#]*?(?:#|%23)([\w-]{22})(?![\w-])(?:(?:\.|%2e)(\d{5})(?!\d)|(?!\.\d))/i

/** What a scanned, opened or pasted text says; `undefined` when no whole hand-over link is in it. */
export function readHandoverLink(text: string): HandoverLink | undefined {
  const [, id, secret, code] = linkPattern.exec(text) ?? []
  if (!id || !secret || !secretPattern.test(secret)) return undefined
  return { id: id.toLowerCase(), secret, ...(code ? { code } : {}) }
}
