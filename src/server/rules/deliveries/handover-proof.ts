import { sha256 } from '@noble/hashes/sha2.js'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { fromBase64url, toHex } from '#domain/deliveries/handover/handover-link.ts'
import { equalSecrets } from '../../ports/secrets.ts'

/** What a driver sends to prove a hand-over: the digits, or the secret of the QR code in base64url. */
export type Proof = { code?: string; handoverSecret?: string }

/** Whether this proves the hand-over (R25, R110). Without a stored hash no secret is right. */
export function provesHandover(
  { deliveryCode = '', handoverHash }: Delivery,
  { code, handoverSecret }: Proof,
): boolean {
  if (code !== undefined) return equalSecrets(code.trim(), deliveryCode)
  if (handoverSecret === undefined || handoverHash === undefined) return false
  return equalSecrets(toHex(sha256(fromBase64url(handoverSecret))), handoverHash)
}

/** Whether this is the sender's own code of a return (R105). */
export const provesReturn = ({ returning, returnCode }: Delivery, { code }: Proof): boolean =>
  returning !== undefined && returnCode !== undefined && code !== undefined
    ? equalSecrets(code.trim(), returnCode)
    : false
