/** What does not change which rows a list has, or is its page itself. */
const besidesList = new Set(['after', 'open', 'id'])

/**
 * The query of an address with some of it set; an empty value is removed. What narrows or sorts a list begins it anew
 * at its first page (R188).
 */
export function changedQuery(search: string, values: Record<string, string>): URLSearchParams {
  const query = new URLSearchParams(search)
  for (const [name, value] of Object.entries(values))
    if (value === '') query.delete(name)
    else query.set(name, value)
  if (Object.keys(values).some((name) => !besidesList.has(name))) query.delete('after')
  return query
}

/** What narrows and sorts a list, of an address's query: the same text for the same list (R229). */
export function viewQuery(search: string): string {
  const query = new URLSearchParams(search)
  for (const name of besidesList) query.delete(name)
  query.sort()
  return query.toString()
}

/** The cursors of the pages before the current one, of an address's `after`; none where somebody has typed another text. */
export function readTrail(text: string | null): string[] {
  try {
    const trail: unknown = JSON.parse(text ?? '[]')
    if (Array.isArray(trail) && trail.every((each) => typeof each === 'string')) return trail
  } catch {
    // Not JSON: the first page.
  }
  return []
}

export const writeTrail = (trail: string[]): string =>
  trail.length === 0 ? '' : JSON.stringify(trail)
