import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { nextTrip, type Trip } from '#domain/users/commutes.ts'
import { isWay, type Offered, type OfferedRoute } from '#store/deliveries/offered-route.ts'
import { offeredNow } from '#store/queries/account/offered-now.ts'
import { useLive } from '../use-live.ts'
import { useSoma } from '../use-soma.ts'

/** A trip of a commute: `until`, `08:30`, when it no longer fits; `at`, in ISO 8601, when it is left next. */
export type CommuteTrip = Trip & { until?: string; at?: string }

/**
 * The commute that fits the time at which this screen was opened, or what was chosen last on this device (R166);
 * `commute`: the one that fits, else the next. `undefined` while it is read.
 */
export function useOfferedNow(): { offered: Offered; commute?: CommuteTrip } | undefined {
  // A list that changed by itself would move under the thumb.
  const [openedAt] = useState(() => Date.now())
  const now = useLive(offeredNow, openedAt)
  if (!now) return undefined
  const { offered, commute, commutes } = now
  if (!commute) return { offered, commute: nextTrip(commutes, new Date(openedAt)) }
  return { offered: { from: commute.from, to: commute.to }, commute }
}

export type Chosen = {
  offered: Offered
  /** The commute that is shown. */
  shown?: CommuteTrip
  /** The commute of this hour or the next one, where something else is shown. */
  commute?: CommuteTrip
  choose: (next: Offered) => Promise<void>
}

/** Which jobs Drive shows: those that its address names, or those that fit the time. `undefined` while it is read. */
export function useOffered(): Chosen | undefined {
  const now = useOfferedNow()
  const [search, setSearch] = useSearchParams()
  const { commands } = useSoma()
  if (!now) return undefined
  const named = namedIn(search)
  const choose = async (next: Offered) => {
    await commands.rememberRoute(next)
    const values = new URLSearchParams(search)
    for (const name of ['from', 'to', 'detour', 'all']) values.delete(name)
    const chosen: [string, unknown][] = isWay(next) ? Object.entries(next) : [['all', 1]]
    for (const [name, value] of chosen) if (value !== undefined) values.set(name, `${value}`)
    setSearch(values, { replace: true })
  }
  const { commute } = now
  const offered = named ?? now.offered
  if (!commute || isTrip(offered, commute)) return { offered, shown: commute, choose }
  // To turn the way round leads there, too.
  const isBack = isTrip(offered, { from: commute.to, to: commute.from })
  return { offered, commute: isBack ? undefined : commute, choose }
}

/** What the address names; nothing for what fits the time. */
function namedIn(search: URLSearchParams): Offered | undefined {
  if (search.has('all')) return {} satisfies OfferedRoute
  const [from, to] = [search.get('from'), search.get('to')]
  if (!from || !to || from === to) return undefined
  const detour = Number(search.get('detour') || Number.NaN)
  return { from, to, ...(detour >= 0 && detour <= 10 ? { detour } : {}) }
}

const isTrip = (offered: Offered, { from, to }: Trip) =>
  isWay(offered) && offered.from === from && offered.to === to && offered.detour === undefined
