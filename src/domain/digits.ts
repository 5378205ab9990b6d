/** Digits of other scripts and of full width as 0 to 9. The ten of a script stand in a row, from a code that ends in 0 or 6. */
export const asciiDigits = (text: string): string =>
  text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    const row = code - (code % 16)
    const zero = /\p{Nd}/u.test(String.fromCodePoint(row)) ? row : row + 6
    return `${(code - zero + 10) % 10}`
  })

/**
 * The code of `length` digits in what somebody typed or pasted: `48 213`, a sentence, a whole SMS, our own shared text. An
 * unfinished code stays as it is. Empty where a text has no single run of so many digits.
 */
export function codeIn(typed: string, length: number): string {
  const text = asciiDigits(typed)
  const [, linked] = /#[\w-]{22}\.(\d+)$/.exec(text.trim()) ?? []
  if (linked?.length === length) return linked
  const words = text.replace(/https?:\/\/\S+/g, ' ')
  const numbers = words.replace(/[\p{L}\d]*\p{L}[\p{L}\d]*/gu, '.')
  // With single spaces or dashes between them first: a phone number that is written so holds no code.
  for (const pattern of [/\d+(?:[ -]\d+)*/g, /\d+/g]) {
    const runs = (numbers.match(pattern) ?? []).map((run) => run.replace(/\D/g, ''))
    const [code, ...others] = new Set(runs.filter((run) => run.length === length))
    if (code !== undefined && others.length === 0) return code
  }
  const [run = '', ...others] = words.match(/\d+(?:[ -]*\d+)*/g) ?? []
  const digits = run.replace(/\D/g, '')
  // One more than the field takes: a key too many.
  return others.length === 0 && digits.length <= length + 1 ? digits.slice(0, length) : ''
}
