import { useMemo } from 'react'
import { shownDetour, type Way } from '#domain/zones/on-the-way.ts'
import { distancesOf } from '#domain/zones/roads.ts'
import { isWay, type JobMatcher, jobMatcher } from '#store/deliveries/offered-route.ts'
import { zones } from '#store/queries/queries.ts'
import { useLive } from '../use-live.ts'
import { useOfferedNow } from './use-offered.ts'

/** Returns what gives a job's detour in kilometres (R164). Without a way, or before the zones are read, no job has one. */
export function useMatcher(way: Way | undefined): JobMatcher {
  const all = useLive(zones)
  const { from, to, detour } = way ?? {}
  return useMemo(() => {
    if (!all || from === undefined || to === undefined) return () => undefined
    return jobMatcher({ from, to, detour }, distancesOf(all))
  }, [all, from, to, detour])
}

/** The way that this driver is on now: a commute, or what they chose last. */
export function useOwnWay(): Way | undefined {
  const { offered } = useOfferedNow() ?? {}
  return offered && isWay(offered) ? offered : undefined
}

/** `+2.5 km`. */
export const detourText = (km: number): string => `+${shownDetour(km)} km`
