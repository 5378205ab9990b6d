/** A page of a list. `after` is the `next` of the page before (opaque); `sort` names a field, `-` before it reverses the order. */
export type Page = {
  limit: number
  after?: string
  sort?: string
  search?: string
  /** Of people: `total` is then the number of rows on the page. */
  isUncounted?: true
}
export type Paged<T> = { rows: T[]; next?: string; total: number }
