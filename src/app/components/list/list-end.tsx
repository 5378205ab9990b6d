import { useEffect, useRef } from 'react'
import type { OlderState } from '../../hooks/lists/use-older-rows.ts'
import { Button } from '../forms/button.tsx'
import { Loading } from '../page/skeleton.tsx'

type Props = {
  older: OlderState
  /** Rows that are shown. */
  count: number
  more: () => void
  /** What follows, for a sentence such as "Older jobs". */
  what: string
  /** Said once everything is shown; nothing for a list too short to scroll. */
  end?: string
}

/** How near the end comes before older rows are shown that the phone holds, in CSS pixels: farther than a swipe. */
const heldDistance = 3_000

/** The same before older rows are pulled: shorter, to save data. */
const askDistance = 400

const canGrow = (older: OlderState) => older === 'held' || older === 'ready'

/** The end of a list that grows on scrolling: shows older rows as soon as it comes near. */
export function ListEnd({ older, count, more, what, end }: Props) {
  const root = useRef<HTMLDivElement>(null)
  const next = useRef(more)
  next.current = more
  // biome-ignore lint/correctness/useExhaustiveDependencies: With more rows the end may still be near.
  useEffect(() => {
    if (!canGrow(older) || !root.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        // On a busy phone several come at once, the newest last.
        if (entries.at(-1)?.isIntersecting) next.current()
      },
      { rootMargin: `${older === 'held' ? heldDistance : askDistance}px` },
    )
    observer.observe(root.current)
    return () => observer.disconnect()
  }, [older, count])
  if (older === 'none')
    return end ? <p className="text-center text-sm text-soft">{end}</p> : undefined
  return (
    <div ref={root} className="grid justify-items-center gap-2 text-center text-sm text-soft">
      {older === 'loading' && <Loading rows={1} label={`Loading older ${what}`} />}
      {canGrow(older) && (
        <Button look="line" tight onClick={more}>
          Show older {what}
        </Button>
      )}
      {older === 'offline' && <p>Older {what} load when you're online.</p>}
      {older === 'failed' && (
        <>
          <p role="status">Older {what} couldn't be loaded.</p>
          <Button look="line" tight onClick={more}>
            Try again
          </Button>
        </>
      )}
    </div>
  )
}
