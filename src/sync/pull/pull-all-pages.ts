import type { PagesSoFar } from '#store/deliveries/save/account-lists.ts'
import type { PullAnswer, PulledPage, Rows } from './pull.ts'

/**
 * A list that must be held whole, and all that changed in one, is asked for page after page; each is
 * saved while the next is on its way. The first page's cursor stands for all of them: what changes
 * meanwhile is newer than it, and comes again next time (S10).
 */
export async function pullAllPages<T>(
  first: PullAnswer,
  ask: (after: string) => Promise<PullAnswer>,
  save: (page: PulledPage) => Promise<T>,
): Promise<T> {
  const pages: PagesSoFar = { seen: new Set() }
  for (let answer = first; ; ) {
    const { next, deliveries = [] } = answer.value as Rows
    const coming = next === undefined ? undefined : ask(next)
    // It fails where it is waited for, below.
    coming?.catch(() => {})
    const saved = await save({ answer, pages, last: coming === undefined })
    if (!coming) return saved
    for (const row of deliveries) pages.seen.add(row.ID)
    answer = await coming
  }
}
