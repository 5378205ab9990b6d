/** 32 signs that nobody confuses when they read them aloud: no I, L, O and U. Each stands for five bits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const prefix = 'SOMA-'
const length = 4

/** Hex digits at the end of an ID that a reference stands for: 20 bits. */
const hexDigits = (length * 5) / 4

/**
 * The short name of a delivery or a dispute that people read and say: `SOMA-7F3K`, from the last 20 bits of
 * its ID (R98). Two of a thousand deliveries have the same one in about four of ten cases: a search for it
 * may find more than one. An ID that is no UUID is given by its last four signs.
 */
export function referenceOf(id: string): string {
  const tail = id.replaceAll('-', '').slice(-hexDigits)
  const bits = /^[0-9a-f]{5}$/i.test(tail) ? Number.parseInt(tail, 16) : undefined
  if (bits === undefined) return `${prefix}${id.slice(-length).toUpperCase()}`
  const signs = Array.from({ length }, (_, at) => alphabet[(bits >> (5 * (length - 1 - at))) & 31])
  return `${prefix}${signs.join('')}`
}

/**
 * The last five hex digits of the IDs that a typed reference may stand for; undefined for other text. The
 * prefix is needed, letters may be small, and O, I and L are read as the digits they look like.
 */
export function idEndOf(typed: string): string | undefined {
  const found = /^\s*soma[-\s]?([0-9a-z]{4})\s*$/i.exec(typed)?.[1]
  if (!found) return undefined
  const signs = found.toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  const values = [...signs].map((sign) => alphabet.indexOf(sign))
  if (values.includes(-1)) return undefined
  const bits = values.reduce((sum, value) => sum * 32 + value, 0)
  return bits.toString(16).padStart(hexDigits, '0')
}
