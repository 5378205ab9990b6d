/** Exactly ten digits, as Ghana writes a phone number at home (spec §5). */
export const isPhone = (text: string): boolean => /^\d{10}$/.test(text)

/**
 * What a person pasted or typed (`024 412 3456`, `+233244123456`, `233 24…`) as the ten digits,
 * or the bare digits when it is no Ghanaian number, so that validation can say what is wrong.
 */
export function normalizePhone(text: string): string {
  const digits = text.replace(/\D/g, '')
  return /^(00)?233\d{9}$/.test(digits) ? `0${digits.slice(-9)}` : digits
}

/** `0244123456` as `233244123456`: what SMS gateways and WhatsApp links want. */
export const internationalPhone = (phone: string): string => phone.replace(/^0/, '233')
