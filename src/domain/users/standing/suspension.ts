import * as z from 'zod/mini'
import { Refusal } from '../../errors.ts'

/** Why and since when an account is suspended; without `until` it lasts until an admin lifts it (R198). Times are ISO 8601. */
export const Suspension = z.object({
  reason: z.string(),
  at: z.string(),
  until: z.optional(z.string()),
})
export type Suspension = z.infer<typeof Suspension>

/** Whether a person is suspended at this time (R198). */
export const isSuspended = ({ suspended }: { suspended?: Suspension }, at: string): boolean =>
  suspended !== undefined && !(suspended.until && suspended.until <= at)

/** The refusal of a login (R198): it says why, and until when. */
export class Suspended extends Refusal {
  readonly until: string | undefined
  constructor({ reason, until }: Suspension) {
    super('suspended', `Your account is suspended${untilText(until)}. Reason: ${reason}`)
    this.until = until
  }
}

/** The day and time in Ghana, which keeps UTC all year. */
const untilText = (until: string | undefined): string => {
  if (!until) return ''
  const [, day, time] = /^(.{10})T(.{5})/.exec(until) ?? []
  const date = new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return ` until ${date}, ${time}`
}
