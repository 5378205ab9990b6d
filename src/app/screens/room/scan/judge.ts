import {
  fromBase64url,
  readHandoverLink,
  toHex,
} from '#domain/deliveries/handover/handover-link.ts'

/** What a scanned code is: this hand-over's, with its secret, or why it is not. */
export type Verdict =
  | { is: 'right'; secret: string }
  | { is: 'wrong'; why: 'another delivery' | 'not Soma' | 'altered' }

/** As much of a delivery as the phone needs to judge a code without a network. */
type Expected = { id: string; handoverHash: string }

/**
 * Judges what a QR code says (R110), with no network: the SHA-256 of its secret must be the delivery's
 * `handoverHash`. Where the link leads to does not matter, only what it proves.
 */
export async function judge(text: string, expected: Expected): Promise<Verdict> {
  const link = readHandoverLink(text)
  if (!link) return { is: 'wrong', why: /\/h\//i.test(text) ? 'altered' : 'not Soma' }
  if (link.id !== expected.id.toLowerCase()) return { is: 'wrong', why: 'another delivery' }
  const hash = await crypto.subtle.digest('SHA-256', fromBase64url(link.secret))
  const isRight = toHex(new Uint8Array(hash)) === expected.handoverHash.toLowerCase()
  return isRight ? { is: 'right', secret: link.secret } : { is: 'wrong', why: 'altered' }
}
