/**
 * One list that is pulled: a kind, of one thing (`id`), or one page of it (`query`, as
 * `URLSearchParams` writes it).
 */
export type ListRef = { kind: string; id?: string; query?: string }

/** The name a list is stored and compared under: `sent`, `delivery:<id>`, `adminUsers?search=ama`. */
export const listKey = ({ kind, id, query }: ListRef): string =>
  id !== undefined ? `${kind}:${id}` : query ? `${kind}?${query}` : kind
