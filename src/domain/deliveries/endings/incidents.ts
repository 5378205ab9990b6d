import * as z from 'zod/mini'
import { Refusal } from '../../errors.ts'
import { isAmount, toCedis, toPesewas } from '../../money.ts'
import { minute } from '../../product.ts'

/** Why a driver could not hand a parcel over (R102). */
export const AttemptReason = z.enum(['absent', 'refused', 'wrong-place', 'unsafe'])
export type AttemptReason = z.infer<typeof AttemptReason>

/**
 * What went another way than planned: a job given back, a failed attempt, a return (R101 to R104). `reason`:
 * an `AttemptReason` of an attempt, words of the driver otherwise. `driver`: their ID; `name`: of one who no longer has the job.
 */
export const Incident = z.object({
  kind: z.enum(['release', 'attempt', 'return']),
  reason: z.string(),
  note: z.optional(z.string()),
  photo: z.optional(z.string()),
  driver: z.optional(z.string()),
  name: z.optional(z.string()),
  /** `office`: it took the job from its driver (R192). */
  by: z.optional(z.string()),
  at: z.string(),
  occurredAt: z.optional(z.string()),
  effectiveAt: z.optional(z.string()),
})
export type Incident = z.infer<typeof Incident>

/** Whether one of this kind happened at that very moment, as the person says. */
export const hasIncident = (
  { incidents = [] }: { incidents?: Incident[] },
  kind: Incident['kind'],
  occurredAt: string,
): boolean =>
  incidents.some(
    (each) =>
      each.kind === kind && Date.parse(each.occurredAt ?? each.at) === Date.parse(occurredAt),
  )

/** What an admin can decide about the money of a disputed delivery (R107). */
export const DecisionKind = z.enum(['release', 'refund', 'split', 'none'])
export type DecisionKind = z.infer<typeof DecisionKind>

/** A decision with the words that both sides read. `driverShare` in cedis. */
export const Decision = z.object({
  kind: DecisionKind,
  reason: z.string(),
  driverShare: z.optional(z.number()),
  at: z.string(),
})
export type Decision = z.infer<typeof Decision>

/** How give-backs, returns and automatic ends are configured. Milliseconds; `returnShare` from 0 to 1. */
export type EndingTerms = {
  /** From Delivered to the automatic approval, and from a return to its dispute (R106). */
  autoApprove: number
  /** The driver's part of the offer when a parcel was returned (R105). */
  returnShare: number
  /** From an attempt to the return (R103). */
  wait: number
  /** From the cancel of a job under way until its money goes back at the latest (R123). */
  cancelHold: number
}

/** The terms where nothing is configured, and what a phone foresees. */
export const defaultEndingTerms: EndingTerms = {
  autoApprove: 48 * 60 * minute,
  returnShare: 0.5,
  wait: 10 * minute,
  cancelHold: 24 * 60 * minute,
}

/** The driver's part of an offer when the parcel was returned, in cedis: whole pesewas (R105). */
export const returnShareOf = (offer: number, share: number): number =>
  toCedis(Math.round(toPesewas(offer) * share))

/** The driver's part of a decided delivery, in cedis (R107). Refusal: invalid. */
export function decidedShare(offer: number, kind: DecisionKind, driverShare?: number): number {
  if (kind !== 'split') return kind === 'release' ? offer : 0
  const isZero = driverShare === 0
  if (driverShare === undefined || driverShare > offer || !(isZero || isAmount(driverShare)))
    throw new Refusal('invalid', 'The driver’s share must be from 0 to the whole offer.')
  return driverShare
}
