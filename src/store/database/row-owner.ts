/** Whose a row is, as far as it tells; of one that was set aside, whose it was where it stood. */
export function rowOwner(row: unknown): string | undefined {
  if (typeof row !== 'object' || row === null) return undefined
  const { account, value } = row as { account?: unknown; value?: unknown }
  if (typeof account === 'string') return account
  return value === undefined ? undefined : rowOwner(value)
}
