import { Refusal } from '#domain/errors.ts'
import { hasUnseen, nameProblem } from '#domain/users/name.ts'
import { phoneProblem } from '#domain/users/phone.ts'

/*
 * What is new here is checked more strictly than what is stored. It stands in the handlers, not in the schemas: what
 * earlier versions took is answered again under its request key. Refusal of each: invalid.
 */

/** Refuses a number that is not one of Ghana (R146). */
export const assertGhanaPhone = (phone: string): void => refuseFor(phoneProblem(phone))

/** Refuses a person's name that is not seen as it is written, or imitates the service (R152). */
export const assertName = (name: string): void => refuseFor(nameProblem(name))

/** Refuses an e-mail with characters that are not seen (R152). */
export const assertSeenEmail = (email: string): void =>
  refuseFor(hasUnseen(email) ? 'Email cannot have characters that are not seen.' : undefined)

function refuseFor(problem: string | undefined): void {
  if (problem) throw new Refusal('invalid', problem)
}
