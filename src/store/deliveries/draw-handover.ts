import { sha256 } from '@noble/hashes/sha2.js'
import {
  secretBytes,
  toBase64url,
  toHex,
  trackSeed,
  trackTokenOf,
} from '#domain/deliveries/handover/handover-link.ts'

/** The secret of one hand-over, in base64url, and what a request says of it. */
type DrawnHandover = { secret: string; hashes: { handoverHash: string; trackHash: string } }

/**
 * Draws the secret of a new request (R110) and hashes it, and the recipient's token (R111). Without the browser's
 * own digest, which resolves later: requests made in the same moment would no longer share a transaction.
 */
export function drawHandover(): DrawnHandover {
  const secret = crypto.getRandomValues(new Uint8Array(secretBytes))
  const token = trackTokenOf(sha256(trackSeed(secret)))
  const trackHash = toHex(sha256(new TextEncoder().encode(token)))
  return { secret: toBase64url(secret), hashes: { handoverHash: toHex(sha256(secret)), trackHash } }
}
