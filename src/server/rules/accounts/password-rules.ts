import { Refusal } from '#domain/errors.ts'
import { internationalPhone } from '#domain/phone.ts'

/** What is known of the person whose password it is to be. */
type Owner = { email?: string; name?: string; phone_number?: string }

/** Refusal: invalid. */
export async function assertUncommonPassword(password: string, owner: Owner = {}): Promise<void> {
  // Loaded by who chooses a password: the demo's page does without the list until then.
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

/** Spaces, a leading plus and case make no difference. */
const fold = (text: string) => text.toLowerCase().replace(/\s+/g, '').replace(/^\+/, '')
