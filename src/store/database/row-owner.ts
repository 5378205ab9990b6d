/** The account a row belongs to, if the row names one; for a row in quarantine, the account it belonged to. */
export function rowOwner(row: unknown): string | undefined {
  if (typeof row !== 'object' || row === null) return undefined
  const { account, value } = row as { account?: unknown; value?: unknown }
  if (typeof account === 'string') return account
  return value === undefined ? undefined : rowOwner(value)
}
