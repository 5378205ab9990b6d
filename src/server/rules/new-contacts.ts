import { Refusal } from '#domain/errors.ts'
import { hasUnseen, nameProblem } from '#domain/users/name.ts'
import { phoneProblem } from '#domain/users/phone.ts'

/*
 * Checks of new values, stricter than for stored ones. Handlers call them; the schemas do not, because a repeat
 * of a request that an earlier version accepted must still parse. Refusal of each: invalid.
 */

/** Refuses a number that is not one of Ghana (R146). */
export const assertGhanaPhone = (phone: string): void => refuseFor(phoneProblem(phone))

/** Refuses a name with invisible or misleading characters, or one that imitates the service (R152). */
export const assertName = (name: string): void => refuseFor(nameProblem(name))

/** Refuses an e-mail with invisible characters (R152). */
export const assertSeenEmail = (email: string): void =>
  refuseFor(hasUnseen(email) ? 'Email cannot have characters that are not seen.' : undefined)

function refuseFor(problem: string | undefined): void {
  if (problem) throw new Refusal('invalid', problem)
}
