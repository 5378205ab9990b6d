import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Icon } from '../text/icon.tsx'

/** Pixels that a finger pulls before letting go refreshes, and how far the sign follows it. */
const enough = 72
const farthest = 96

/**
 * Refreshes what is on the screen when it is pulled down from its top. `onRefresh` resolves when that is done;
 * it never rejects.
 */
export function PullToRefresh(props: { onRefresh: () => Promise<unknown>; children: ReactNode }) {
  const [pulled, setPulled] = useState(0)
  const [busy, setBusy] = useState(false)
  const refresh = useRef(props.onRefresh)
  refresh.current = props.onRefresh
  useEffect(() => {
    let from: number | undefined
    let distance = 0
    const begin = (event: TouchEvent) => {
      const isAtTop = scrollY <= 0 && !document.querySelector('dialog[open]')
      from = isAtTop && event.touches.length === 1 ? event.touches[0]?.clientY : undefined
    }
    const move = (event: TouchEvent) => {
      if (from === undefined) return
      distance = Math.max(0, ((event.touches[0]?.clientY ?? from) - from) / 2)
      setPulled(Math.min(farthest, distance))
    }
    const end = async () => {
      const isFar = from !== undefined && distance >= enough
      from = undefined
      distance = 0
      setPulled(0)
      if (!isFar) return
      setBusy(true)
      await refresh.current()
      setBusy(false)
    }
    addEventListener('touchstart', begin, { passive: true })
    addEventListener('touchmove', move, { passive: true })
    addEventListener('touchend', end)
    addEventListener('touchcancel', end)
    // The browser's own pull reloads the whole page.
    document.documentElement.style.overscrollBehaviorY = 'contain'
    return () => {
      removeEventListener('touchstart', begin)
      removeEventListener('touchmove', move)
      removeEventListener('touchend', end)
      removeEventListener('touchcancel', end)
      document.documentElement.style.overscrollBehaviorY = ''
    }
  }, [])
  return (
    <>
      <div
        role="status"
        className="pointer-events-none fixed inset-x-0 top-16 z-30 grid justify-items-center"
      >
        {(pulled > 8 || busy) && (
          <span
            className="grid size-11 place-items-center rounded-full bg-card text-green shadow-lift"
            style={{ transform: `translateY(${busy ? 24 : pulled / 2}px)` }}
          >
            <Icon
              name="retry"
              className={`size-5 ${busy ? '[animation:beat_1.2s_infinite]' : ''}`}
            />
            <span className="sr-only">{busy ? 'Refreshing…' : 'Let go to refresh'}</span>
          </span>
        )}
      </div>
      {props.children}
    </>
  )
}
