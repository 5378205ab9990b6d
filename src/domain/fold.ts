const letters: Record<string, string> = { ɔ: 'o', ɛ: 'e', ŋ: 'n' }

/**
 * A text as a search compares it: in small letters without marks, in either Unicode form, and with the letters that many
 * keyboards lack as people type them instead. `Ɔkɔmfo` becomes `okomfo`. The function `fold` of PostgreSQL does the same.
 */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[ɔɛŋ]/g, (letter) => letters[letter] ?? letter)
