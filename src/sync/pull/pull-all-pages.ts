import type { Pages } from './lists.ts'
import type { Answer, Rows } from './pull.ts'

/** A page as it is kept. `last`: nothing comes after it. */
export type PageOf = { answer: Answer; pages: Pages; last: boolean }

/**
 * A list that must be held whole, and all that changed in one, is asked for page after page; each is
 * kept while the next is on its way. The first page's cursor stands for all of them: what changes
 * meanwhile is newer than it, and is told again next time.
 */
export async function eachPage<T>(
  first: Answer,
  ask: (after: string) => Promise<Answer>,
  keep: (page: PageOf) => Promise<T>,
): Promise<T> {
  const pages: Pages = { seen: new Set() }
  for (let answer = first; ; ) {
    const { next, deliveries = [] } = answer.value as Rows
    const coming = next === undefined ? undefined : ask(next)
    // Heard of when it is waited for, below.
    coming?.catch(() => {})
    const kept = await keep({ answer, pages, last: coming === undefined })
    if (!coming) return kept
    for (const row of deliveries) pages.seen.add(row.ID)
    answer = await coming
  }
}
