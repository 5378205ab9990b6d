/*
 * A phone's support code (R92): 8 characters of Crockford's base32, which has no letters that look like
 * digits. Shown in two halves: `K7QX-2MPD`.
 */

/** As people read and say it. */
export const shownSupportCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** A code as somebody typed it, without its hyphen and in capitals; `undefined` when it is none. */
export function readSupportCode(text: string): string | undefined {
  const code = text.replace('-', '').toUpperCase()
  return /^[0-9A-HJKMNP-TV-Z]{8}$/.test(code) ? code : undefined
}
