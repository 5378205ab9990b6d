import { product } from '#domain/product.ts'
import type { Text } from './gateways.ts'
import type { Purpose } from './repo.ts'

/** What people are told by SMS. One message each: at most 160 plain characters. */
export const codeText = (to: string, purpose: Purpose, code: string): Text => ({
  to,
  text:
    purpose === 'verify'
      ? `${product}: your verification code is ${code}. It is valid for 10 minutes.`
      : `${product}: your password reset code is ${code}. It is valid for 10 minutes. If you did not ask for it, ignore this message.`,
})
