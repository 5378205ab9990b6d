/*
 * A list's sort, in the form of the address and of the server: `name` is ascending, `-name` descending, ''
 * none.
 */

/** The column's direction as a value of `aria-sort`; undefined where another column is sorted, or none. */
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
