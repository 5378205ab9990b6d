/**
 * Rows as CSV (RFC 4180), each line ended. No text begins a formula, whatever a spreadsheet takes for the separator
 * (R153): names and descriptions are written by anybody.
 */
export const csv = (rows: (string | number | undefined)[][]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')

function cell(value: string | number | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = isNumber.test(value) ? withSpaces(value) : withoutFormulas(value)
  return /[",;|\t\r\n]/.test(text) || text !== text.trim()
    ? `"${text.replaceAll('"', '""')}"`
    : text
}

/** A spreadsheet takes a phone number for a number, whose first zero it drops; with spaces it is a text. */
const withSpaces = (text: string) => text.replace(/^(0\d\d)(\d{3})(\d{4})$/, '$1 $2 $3')

const isNumber = /^-?\d+(\.\d+)?$/

/**
 * An apostrophe before each sign with which a formula could begin: at the start, and after every sign that could be the
 * separator, where quotes do not help, because they do not stand at the start of that field.
 */
const withoutFormulas = (text: string): string =>
  text
    .replace(
      /(?<=^\s*|[;|\t\r\n"]\s*)[=+\-@＝＋－＠]|(?<=[^\p{L}\p{N}])[=+\-@＝＋－＠](?=\S)/gu,
      "'$&",
    )
    .replace(/^[\t\r\n]/, "'$&")
