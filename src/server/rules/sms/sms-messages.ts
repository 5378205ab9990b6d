import { product } from '#domain/product.ts'
import type { SmsMessage } from '../../ports/ports.ts'
import type { Purpose } from '../../ports/repo.ts'

/* What people are told by SMS. One message each: at most 160 characters, all in the GSM alphabet. */

export const codeMessage = (
  to: string,
  purpose: Purpose,
  code: string,
  email: string,
): SmsMessage => ({
  to,
  text:
    purpose === 'verify'
      ? `${product}: your verification code is ${code}, for the account ${masked(email)}. It is valid for 10 minutes.`
      : `${product}: your password reset code is ${code}. It is valid for 10 minutes. If you did not ask for it, ignore this message.`,
})

/** To the number an account has, when somebody asks to change it to another. */
export const phoneChangeMessage = (to: string, newPhone: string): SmsMessage => ({
  to,
  text: `${product}: somebody asked to change the phone of your account to ...${newPhone.slice(-2)}. If it was not you, log in and change your password.`,
})

const longestDomain = 40

/** Enough of an e-mail to know one's own by: `a...a@example.com`. */
function masked(email: string): string {
  const at = email.lastIndexOf('@')
  const [name, domain] = [email.slice(0, at), email.slice(at + 1)]
  const shown = domain.length > longestDomain ? `...${domain.slice(-longestDomain + 3)}` : domain
  return plain(`${name.slice(0, 1)}...${name.slice(-1)}@${shown}`)
}

/** Other characters would make it several messages. */
const plain = (text: string) => text.replace(/[^a-z0-9.@+_-]/gi, '?')
