import { sameName } from '../choices.ts'
import { Refusal } from '../errors.ts'

/** A list of the office as somebody searched, filtered and sorted it (R229). `query`: of the list's address. */
export type SavedView = { list: string; name: string; query: string }

/** Longest name of a view, in characters. */
export const maxViewName = 40
/** How many views one list has. */
export const mostViews = 20

/** Why a view cannot be saved beside the others, as a sentence for people. */
export function viewProblem(
  views: readonly SavedView[],
  { list, name }: Pick<SavedView, 'list' | 'name'>,
): string | undefined {
  if (name.trim() === '') return 'Enter a name.'
  if (name.trim().length > maxViewName) return `Use at most ${maxViewName} characters.`
  const others = views.filter((view) => view.list === list)
  if (others.some((other) => sameName(other.name, name))) return 'Another view has this name.'
  if (others.length >= mostViews) return `There are ${mostViews} views already. Remove one first.`
  return undefined
}

/** The views with one more, whose name is trimmed. Refusal: invalid. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  const problem = viewProblem(views, view)
  if (problem) throw new Refusal('invalid', problem)
  return [...views, { ...view, name: view.name.trim() }]
}
