import { referenceOf } from '#domain/deliveries/reference.ts'
import { product } from '#domain/product.ts'
import type { PayoutNumber } from '#domain/users/payout-number.ts'
import type { SmsMessage } from '../../ports/ports.ts'
import type { Purpose } from '../../ports/stores/account-stores.ts'

/* Each SMS fits one message: at most 160 characters of the GSM alphabet. None holds words that somebody typed (R149). */

const longestSms = 160

/** What a code's SMS says: `host` is the app's, for which the phone fills the code in. */
type CodeAbout = { to: string; purpose: Purpose; code: string; email: string; host: string }

/**
 * The SMS of a code. Its last line is for the phone (WebOTP, and autofill on iOS): it offers the code on this host alone.
 * Where that does not fit, the SMS goes without it.
 */
export function codeMessage({ to, purpose, code, email, host }: CodeAbout): SmsMessage {
  const words = codeTexts[purpose](code, email)
  const text = `${words}\n@${host} #${code}`
  return { to, text: text.length <= longestSms ? text : words }
}

const codeTexts: Record<Purpose, (code: string, email: string) => string> = {
  verify: (code, email) =>
    `${product}: your verification code is ${code}, for the account ${twoLetters(email)}.... It is valid for 10 minutes.`,
  reset: (code) =>
    `${product}: your password reset code is ${code}. It is valid for 10 minutes. If you did not ask for it, ignore this.`,
  recover: (code) =>
    `${product}: your code to find your deliveries is ${code}. It is valid for 10 minutes. If you did not ask for it, ignore this.`,
  payout: (code, email) =>
    `${product}: ${code} confirms this number for payouts to the account ${twoLetters(email)}.... It is valid for 10 minutes. Give it to nobody.`,
}

/** The code of a delivery, which the office sends its sender (R196). It names the delivery by its reference alone. */
export const deliveryCodeMessage = (to: string, id: string, code: string): SmsMessage => ({
  to,
  text: `${product}: the delivery code of ${referenceOf(id)} is ${code}. Share it with the recipient only.`,
})

/** Sent to the current number of an account when somebody asks to change it (R10). */
export const phoneChangeMessage = (to: string, newPhone: string): SmsMessage => ({
  to,
  text: `${product}: somebody asked to change the phone of your account to ...${newPhone.slice(-2)}. If it was not you, log in and change your password.`,
})

/** Sent to the number that a driver is paid to when they have confirmed another one (R175). */
export const payoutChangeMessage = (to: string, { phone, from }: PayoutNumber): SmsMessage => ({
  to,
  text: `${product}: your payouts go to ...${phone.slice(-2)} from ${from.slice(0, 10)} ${from.slice(11, 16)}. If it was not you, log in, change your password and payout number.`,
})

/** The first two letters of an account's e-mail, by which its owner knows it and nobody else is told anything (R149). */
const twoLetters = (email: string) => email.replace(/[^a-z]/gi, '').slice(0, 2)
