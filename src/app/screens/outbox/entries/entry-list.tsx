import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Entry } from '#store/entries/operations.ts'
import { cancellations, entriesWithParents, uploads } from '#store/queries/outbox/outbox.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { Skeleton } from '../../../components/page/skeleton.tsx'
import { useLive } from '../../../hooks/use-live.ts'
import { EntryCard } from './entry-card.tsx'

/** Height of a card that was not drawn yet, and the space between two, in CSS pixels. */
const estimatedHeight = 170
const gap = 12

/**
 * Entries by their `seq`, in this order. Only those in view are read and drawn; the page itself scrolls. A
 * card with the focus stays drawn, so that a keyboard or a screen reader does not lose its place.
 */
export function EntryList({ seqs }: { seqs: readonly number[] }) {
  const list = useRef<HTMLUListElement>(null)
  const scrollMargin = useDistanceFromTop(list)
  const [focused, setFocused] = useState<number>()
  const kept = focused === undefined ? -1 : seqs.indexOf(focused)
  const { getVirtualItems, getTotalSize, measureElement } = useWindowVirtualizer({
    count: seqs.length,
    estimateSize: () => estimatedHeight,
    getItemKey: useCallback((index: number) => seqs[index] ?? index, [seqs]),
    rangeExtractor: useCallback((range: Range) => withIndex(range, kept), [kept]),
    overscan: 3,
    gap,
    scrollMargin,
  })
  const items = getVirtualItems()
  const shown = items.flatMap(({ index }) => seqs[index] ?? [])
  const { entries, parents, cancelled } = useEntries(shown)
  const shares = useLive(uploads) ?? {}
  return (
    <ul ref={list} className="relative" style={{ height: getTotalSize() }}>
      {items.map(({ index, start }) => {
        const seq = seqs[index]
        if (seq === undefined) return null
        const entry = entries.get(seq)
        return (
          <li
            key={seq}
            ref={measureElement}
            data-index={index}
            aria-setsize={seqs.length}
            aria-posinset={index + 1}
            // A card that is still read takes the focus, so that Tab does not leave the list.
            tabIndex={entry ? -1 : 0}
            aria-busy={!entry}
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${start - scrollMargin}px)` }}
            onFocus={() => setFocused(seq)}
            onBlur={() => setFocused(undefined)}
          >
            {entry ? (
              <EntryCard
                entry={entry}
                parents={parents}
                cancellation={cancelled.get(entry.id)}
                share={shareOf(entry, shares)}
              />
            ) : (
              <Skeleton className="h-40" />
            )}
          </li>
        )
      })}
    </ul>
  )
}

const shareOf = ({ photos }: Entry, shares: Record<string, number>): number | undefined =>
  shares[photos[0] ?? '']

/** The indexes in view, and one more that stays drawn. */
const withIndex = (range: Range, kept: number): number[] => {
  const indexes = defaultRangeExtractor(range)
  if (kept < 0 || indexes.includes(kept)) return indexes
  return [...indexes, kept].sort((a, b) => a - b)
}

type Known = {
  entries: ReadonlyMap<number, Entry>
  parents: readonly Entry[]
  /** By requests' IDs what takes them back. */
  cancelled: ReadonlyMap<string, Entry>
}

/** The entries in view; while others are read, those that are known already. */
function useEntries(seqs: readonly number[]): Known {
  const found = useLive(entriesInFull, seqs)
  return {
    entries: new Map(found?.entries.map((entry) => [entry.seq, entry])),
    parents: found?.parents ?? [],
    cancelled: found?.cancelled ?? new Map(),
  }
}

async function entriesInFull(db: SomaDb, seqs: readonly number[]) {
  const known = await entriesWithParents(db, seqs)
  return { ...known, cancelled: await cancellations(db, known.entries) }
}

/** How far an element is below the top of the page in CSS pixels, however what is above it grows. */
function useDistanceFromTop(element: { current: HTMLElement | null }): number {
  const [distance, setDistance] = useState(0)
  const measure = useCallback(() => {
    const { current } = element
    if (current) setDistance(Math.round(current.getBoundingClientRect().top + scrollY))
  }, [element])
  useLayoutEffect(measure, [measure])
  useEffect(() => {
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [measure])
  return distance
}
