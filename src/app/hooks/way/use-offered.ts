import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import {
  isWay,
  type Offered,
  type OfferedRoute,
  offeredAt,
} from '#store/deliveries/offered-route.ts'
import { ownCommutes } from '#store/queries/account/own-commutes.ts'
import { useLive } from '../use-live.ts'
import { useSoma } from '../use-soma.ts'
import { useVisitor } from '../use-visitor.ts'

/**
 * The commute that fits the time at which this screen was opened, or what was chosen last on this device (R166);
 * `undefined` while it is read.
 */
export function useOfferedNow(): { offered: Offered; until?: string } | undefined {
  const { route } = useVisitor()
  // A list that changed by itself would move under the thumb.
  const [openedAt] = useState(() => Date.now())
  const commutes = useLive(ownCommutes)?.commutes
  return commutes && offeredAt(commutes, route, openedAt)
}

type Chosen = {
  offered: Offered
  /** Of a commute: when it no longer fits, `08:30`. */
  until?: string
  /** The commute to go back to, where something else is shown. */
  commute?: { from: string; to: string; until?: string }
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
  const commute = now.until !== undefined && isWay(now.offered) ? now : undefined
  if (!named || (commute && isSame(named, commute.offered))) return { ...now, choose }
  const back =
    commute && isWay(commute.offered) ? { ...commute.offered, until: commute.until } : undefined
  return { offered: named, commute: back, choose }
}

/** What the address names; nothing for what fits the time. */
function namedIn(search: URLSearchParams): Offered | undefined {
  if (search.has('all')) return {} satisfies OfferedRoute
  const [from, to] = [search.get('from'), search.get('to')]
  if (!from || !to || from === to) return undefined
  const detour = Number(search.get('detour') || Number.NaN)
  return { from, to, ...(detour >= 0 && detour <= 10 ? { detour } : {}) }
}

const isSame = (one: Offered, other: Offered) =>
  isWay(one) &&
  isWay(other) &&
  one.from === other.from &&
  one.to === other.to &&
  one.detour === other.detour
