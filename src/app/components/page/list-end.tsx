import { useEffect, useRef } from 'react'
import type { OlderState } from '../../hooks/use-older-rows.ts'
import { Button } from '../forms/button.tsx'
import { Loading } from './skeleton.tsx'

type Props = {
  older: OlderState
  more: () => void
  /** What follows, for a sentence such as "Older jobs". */
  what: string
  /** Said once everything is shown; nothing for a list too short to scroll. */
  end?: string
}

/** The end of a list that grows on scrolling: shows older rows as soon as it comes near. */
export function ListEnd({ older, more, what, end }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const next = useRef(more)
  next.current = more
  useEffect(() => {
    if (older !== 'ready' || !place.current) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) next.current()
      },
      { rootMargin: '400px' },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [older])
  if (older === 'none')
    return end ? <p className="text-center text-sm text-soft">{end}</p> : undefined
  return (
    <div ref={place} className="grid justify-items-center gap-2 text-center text-sm text-soft">
      {older === 'loading' && <Loading rows={1} label={`Loading older ${what}`} />}
      {older === 'ready' && (
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
