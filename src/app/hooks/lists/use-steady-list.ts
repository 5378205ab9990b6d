import { useRef, useState } from 'react'
import type { DeliveryRow } from '#store/rows.ts'

/** A row in its place. `isGone`: the list no longer has it; it is shown as it was. */
export type SteadyRow = { row: DeliveryRow; isGone: boolean }

type Shown = { key: string; ids: readonly string[]; isSettled: boolean }

/**
 * Keeps the rows of a list where they are while somebody may be about to press one: new ones wait, counted as
 * `fresh`, until `show` is called; one that left stays in its place. What follows the last row is added.
 * Another `key` begins anew. `isSettled`: the list was loaded; until then, and with its first loaded rows, every row is
 * taken as it comes.
 */
export function useSteadyList(
  key: string,
  rows: readonly DeliveryRow[] | undefined,
  isSettled: boolean,
): { shown: SteadyRow[] | undefined; fresh: number; show: () => void } {
  const [shown, setShown] = useState<Shown>()
  const known = useRef(new Map<string, SteadyRow>())
  if (!rows) return { shown: undefined, fresh: 0, show: () => {} }
  const now = rows.map(({ ID }) => ID)
  const ids = steadyOrder(keptIds(shown, key, isSettled), now)
  // The order is state: it is set while drawing, as soon as it differs from what was drawn before.
  if (shown?.key !== key || shown.isSettled !== isSettled || !isSame(shown.ids, ids))
    setShown({ key, ids, isSettled })
  const present = new Map(rows.map((row) => [row.ID, row]))
  const drawn = new Set(ids)
  return {
    shown: ids.flatMap((id) => steadyRow(id, present.get(id)) ?? []),
    fresh: now.filter((id) => !drawn.has(id)).length,
    show: () => setShown({ key, ids: now, isSettled }),
  }

  /** The same object until something of it changes: what draws it need not draw it again. */
  function steadyRow(id: string, present: DeliveryRow | undefined): SteadyRow | undefined {
    const before = known.current.get(id)
    const row = present ?? before?.row
    if (!row) return undefined
    const isGone = !present
    if (before?.row === row && before.isGone === isGone) return before
    const made = { row, isGone }
    known.current.set(id, made)
    return made
  }
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some === others ||
  (some.length === others.length && some.every((id, index) => id === others[index]))

/** Pure. The rows that keep their places; nothing for another list, or one that was not loaded when it was drawn. */
export const keptIds = (
  shown: Shown | undefined,
  key: string,
  isSettled: boolean,
): readonly string[] | undefined =>
  shown?.key === key && shown.isSettled && isSettled ? shown.ids : undefined

/** Pure. What was shown in its order, and what follows the last of it that is still there. */
export function steadyOrder(
  shown: readonly string[] | undefined,
  now: readonly string[],
): readonly string[] {
  if (!shown) return now
  const present = new Set(now)
  const last = shown.findLast((id) => present.has(id))
  if (last === undefined) return now
  const before = new Set(shown)
  const following = now.slice(now.indexOf(last) + 1).filter((id) => !before.has(id))
  return following.length === 0 ? shown : [...shown, ...following]
}
