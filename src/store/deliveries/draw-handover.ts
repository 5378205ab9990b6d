import {
  secretBytes,
  toBase64url,
  toHex,
  trackSeed,
  trackTokenOf,
} from '#domain/deliveries/handover-link.ts'

/** The secret of one hand-over, in base64url, and what a request says of it. */
type DrawnHandover = { secret: string; hashes: { handoverHash: string; trackHash: string } }

/**
 * Draws the secret of a new request (R110) and hashes it, and the recipient's token (R111). Nothing where the
 * browser hashes nothing, as in a page without TLS: the digits prove that hand-over.
 */
export async function drawHandover(): Promise<DrawnHandover | undefined> {
  if (!crypto.subtle) return undefined
  const secret = crypto.getRandomValues(new Uint8Array(secretBytes))
  const [handoverHash, token] = await Promise.all([sha256(secret), tokenOf(secret)])
  const trackHash = toHex(await sha256(new TextEncoder().encode(token)))
  return { secret: toBase64url(secret), hashes: { handoverHash: toHex(handoverHash), trackHash } }
}

/** The token by which a recipient follows their parcel (R111). */
const tokenOf = async (secret: Uint8Array): Promise<string> =>
  trackTokenOf(await sha256(trackSeed(secret)))

const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
