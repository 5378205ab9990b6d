import type { PagesSoFar } from '../deliveries/save/account-rows.ts'
import type { Paged, PullResponse, Rows } from './pull.ts'

/**
 * What comes with the first page of a response: of a list held in part the page alone and what is active
 * besides it (S50); else, and of all that changed in a list, every page. The first page's cursor stands for
 * all of them: what changes meanwhile is newer than it, and comes again next time (S10).
 */
export async function pullPages<T>(paged: Paged<T>): Promise<T> {
  const pages: PagesSoFar = { seen: new Set() }
  const { list, first, ask, save } = paged
  const { removed } = first.value as Rows
  if (!list.besides || removed) return allPages(paged, first, pages)
  await save({ response: first, pages, last: false })
  note(pages, first)
  pages.areBesides = true
  const besides = { ...list.besides, since: undefined }
  return allPages(
    { ...paged, ask: (query) => ask({ ...besides, ...query }) },
    await ask(besides),
    pages,
  )
}

/** Asks for page after page; each is saved while the next is on its way. */
async function allPages<T>(
  { ask, save }: Paged<T>,
  first: PullResponse,
  pages: PagesSoFar,
): Promise<T> {
  for (let response = first; ; ) {
    const { next } = response.value as Rows
    const coming = next === undefined ? undefined : ask({ after: next })
    // It fails where it is waited for, below.
    coming?.catch(() => {})
    const saved = await save({ response, pages, last: coming === undefined })
    if (!coming) return saved
    note(pages, response)
    response = await coming
  }
}

function note({ seen }: PagesSoFar, { value }: PullResponse): void {
  for (const { ID } of (value as Rows).deliveries ?? []) seen.add(ID)
}
