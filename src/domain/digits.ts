/** Digits of other scripts and of full width as 0 to 9. The ten of a script stand in a row, from a code that ends in 0 or 6. */
export const asciiDigits = (text: string): string =>
  text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    const row = code - (code % 16)
    const zero = /\p{Nd}/u.test(String.fromCodePoint(row)) ? row : row + 6
    return `${(code - zero + 10) % 10}`
  })
