import { Refusal } from '#domain/errors.ts'
import { phoneProblem } from '#domain/users/phone.ts'

/**
 * Refuses a number that is new here and not one of Ghana (R146). It stands in the handlers, not in the schemas:
 * what earlier versions took is answered again under its request key. Refusal: invalid.
 */
export function assertGhanaPhone(phone: string): void {
  const problem = phoneProblem(phone)
  if (problem) throw new Refusal('invalid', problem)
}
