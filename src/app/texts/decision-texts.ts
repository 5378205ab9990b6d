import type { Delivery } from '#domain/deliveries/delivery.ts'
import { isClaimed } from '#domain/deliveries/endings/cancel-hold.ts'
import { type DecisionKind, decidedShare } from '#domain/deliveries/endings/incidents.ts'
import { isDirect } from '#domain/deliveries/payment.ts'
import { isAmount, parseAmount } from '#domain/money.ts'
import { type Shares, sharesOf } from './return-texts.ts'

/* What an admin can decide about a disputed payment, in words (R107). */

const names: Record<DecisionKind, string> = {
  release: 'Release to driver',
  refund: 'Refund sender',
  split: 'Split',
  none: 'No money moves',
}
/** Where the sender pays the driver themselves (R171). */
const directNames: Record<DecisionKind, string> = {
  release: 'Sender pays in full',
  refund: 'Sender pays nothing',
  split: 'Split',
  none: 'Leave as it is',
}

/** What a decision is called. `view`: the delivery, once it is known. */
export const decisionName = (kind: DecisionKind, view: Delivery | undefined): string =>
  (view && isDirect(view) ? directNames : names)[kind]

/** `₵40.00`: a part of an offer, always with its pesewas. */
export const exactPrice = (cedis: number): string =>
  `₵${cedis.toLocaleString('en-GH', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

/** `Driver ₵40.00 · Sender ₵20.00`. */
export const bothShares = ({ driver, sender }: Shares): string =>
  `Driver ${exactPrice(driver)} · Sender ${exactPrice(sender)}`

/** A part of an offer as it was typed, in cedis; nothing unless it is from 0 to the offer, in whole pesewas. */
export function readShare(typed: string, offer: number): number | undefined {
  const share = parseAmount(typed)
  if (share === undefined || share > offer) return undefined
  return share === 0 || isAmount(share) ? share : undefined
}

/** What each side gets; nothing where no money moves, and of a split whose share is not known. */
export function sharesBy(
  offer: number,
  kind: DecisionKind | undefined,
  driverShare?: number,
): Shares | undefined {
  if (kind === undefined || kind === 'none') return undefined
  if (kind === 'split' && driverShare === undefined) return undefined
  return sharesOf(offer, decidedShare(offer, kind, driverShare))
}

/** What each side got by the decision about this delivery. */
export const decidedShares = ({ offer, decision }: Delivery): Shares | undefined =>
  sharesBy(offer, decision?.kind, decision?.driverShare)

/** What will happen, before an admin confirms it. */
export function confirmText(view: Delivery, kind: DecisionKind, shares?: Shares): string {
  const driver = view.driver?.name ?? 'The driver'
  const sender = view.sender?.name ?? view.senderName ?? 'The sender'
  const reads = 'Both sides read your reason.'
  const owed = isDirect(view)
  // Nobody else has a claim on the money that a cancel holds (R124).
  if (!shares && isClaimed(view))
    return `${owed ? `${sender} pays nothing` : `${sender} gets ${exactPrice(view.offer)} back`}. The report is closed. ${reads}`
  if (!shares)
    return `${owed ? 'Who owes what stays as it is' : 'No money moves'}. The report is closed. ${reads}`
  const parts = owed
    ? [`${sender} pays ${driver} ${shares.driver > 0 ? exactPrice(shares.driver) : 'nothing'}`]
    : [
        shares.driver > 0 && `${driver} gets ${exactPrice(shares.driver)}`,
        shares.sender > 0 && `${sender} gets ${exactPrice(shares.sender)} back`,
      ].filter(Boolean)
  const status = kind === 'release' ? 'Approved' : 'Cancelled'
  return `${parts.join(', ')}. The delivery becomes ${status}. ${reads} This cannot be undone.`
}

/** `3fa1c0de…9b77`: the SHA-256 of the stored bytes that a photo's address carries; nothing where it has none. */
export function photoHash(url: string): string | undefined {
  const [, hash] = /(?:^|[/_-])([0-9a-f]{64})(?=\.|$)/.exec(url.split(/[?#]/)[0] ?? '') ?? []
  return hash && `${hash.slice(0, 8)}…${hash.slice(-4)}`
}
