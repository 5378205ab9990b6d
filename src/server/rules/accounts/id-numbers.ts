import { Refusal } from '#domain/errors.ts'
import { normalizeEmail } from '#domain/users/user.ts'
import type { Stores } from '../../ports/repo.ts'
import type { Secrets } from '../../ports/secrets.ts'

type Applicant = { name: string; email: string; idNumber: string; at: string }

/**
 * The refusal of an ID number with which another account applied, also one that was rejected (R201); the office is told.
 * A sign-up that is repeated with the same e-mail is left to R7.
 */
export async function refuseIdNumber(
  stores: Stores,
  secrets: Secrets,
  { name, email, idNumber, at }: Applicant,
): Promise<Refusal | undefined> {
  const people = await Promise.all(
    (await stores.applications.lockIdNumber(idNumber)).map((id) => stores.users.get(id)),
  )
  const key = normalizeEmail(email)
  if (people.some((each) => each && normalizeEmail(each.email) === key)) return undefined
  const other = people.find((each) => each !== undefined)
  if (!other) return undefined
  const Message = `${name} tried to apply with the ID number of ${other.name}`
  await stores.activities.add({ ID: secrets.id(), Type: 'other', Message, CreatedAt: at })
  await stores.publish({ about: 'activities', to: [], admins: true })
  return new Refusal('id-number')
}
