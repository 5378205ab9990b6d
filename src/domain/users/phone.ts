/** Exactly ten digits, the national form of a Ghanaian number (R8). */
export const isPhone = (text: string): boolean => /^\d{10}$/.test(text)

/**
 * Brings what a person typed or pasted (`024 412 3456`, `+233244123456`) to ten digits (R8). Of any other
 * number it returns the digits, which `isPhone` then refuses.
 */
export function normalizePhone(text: string): string {
  const digits = text.replace(/\D/g, '')
  return /^(00)?233\d{9}$/.test(digits) ? `0${digits.slice(-9)}` : digits
}

/** `0244123456` as `233244123456`, the form that SMS gateways and WhatsApp links need. */
export const internationalPhone = (phone: string): string => phone.replace(/^0/, '233')
