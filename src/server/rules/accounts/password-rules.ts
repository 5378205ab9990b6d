import { Refusal } from '#domain/errors.ts'
import { internationalPhone } from '#domain/users/phone.ts'

/** Details of the person that their password must not repeat. */
type Owner = { email?: string; name?: string; phone_number?: string }

/** Refuses a common password, or one that repeats the owner's details (R11). Refusal: invalid. */
export async function assertUncommonPassword(password: string, owner: Owner = {}): Promise<void> {
  // Loaded on demand, so that the demo loads the list only when somebody chooses a password.
  const { commonPasswords } = await import('./common-passwords.ts')
  if (commonPasswords.has(fold(password)) || isOwnDetail(password, owner))
    throw new Refusal('invalid', 'This password is too easy to guess. Please choose another one.')
}

/** Whether a password is the e-mail, name or phone of its owner, whatever their case. */
function isOwnDetail(password: string, owner: Owner): boolean {
  const { email = '', name = '', phone_number = '' } = owner
  const own = [
    email,
    email.split('@')[0] ?? '',
    name,
    phone_number,
    internationalPhone(phone_number),
  ]
  return own.some((each) => each !== '' && fold(each) === fold(password))
}

/** Ignores spaces, a leading plus and case. */
const fold = (text: string) => text.toLowerCase().replace(/\s+/g, '').replace(/^\+/, '')
