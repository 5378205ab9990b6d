/**
 * Rows as CSV (RFC 4180), each line ended. A text that a spreadsheet would take for a formula gets an
 * apostrophe before it: names and descriptions are written by anybody.
 */
export const csv = (rows: (string | number | undefined)[][]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')

function cell(value: string | number | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = /^\s*[=+\-@\t\r\n]/.test(value) && !isNumber.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

const isNumber = /^-?\d+(\.\d+)?$/
