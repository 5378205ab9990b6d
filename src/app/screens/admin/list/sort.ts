/* A list's sort as the address and the server have it: `name` ascending, `-name` descending, '' none. */

/** How the column is sorted now, as `aria-sort` names it. */
export function directionOf(sort: string, column: string): 'ascending' | 'descending' | undefined {
  if (sort === column) return 'ascending'
  return sort === `-${column}` ? 'descending' : undefined
}

/** The sort after a press on the column's header: ascending, then descending, then none. */
export function nextSort(sort: string, column: string): string {
  const direction = directionOf(sort, column)
  if (direction === undefined) return column
  return direction === 'ascending' ? `-${column}` : ''
}
