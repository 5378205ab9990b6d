import { useEffect, useState } from 'react'
import { Button } from '../components/forms/button.tsx'
import { useSoma } from '../hooks/use-soma.ts'

/** Milliseconds in which a lost database usually opens again by itself. */
const patience = 15_000

/**
 * Above every screen, once the database has been lost for 15 seconds (S84). Not loaded when it is needed: the cache of
 * the app may be lost with the database.
 */
export function InterruptedBar() {
  if (!useInterrupted()) return null
  return (
    <section
      role="alert"
      className="sticky top-0 z-40 flex flex-wrap items-center justify-between gap-x-3 bg-red-wash px-4 pt-[max(0.25rem,env(safe-area-inset-top))] pb-1 md:px-6"
    >
      <strong className="text-sm">Storage was interrupted.</strong>
      <Button look="line" tight icon="retry" onClick={() => location.reload()}>
        Reload
      </Button>
    </section>
  )
}

function useInterrupted(): boolean {
  const { db } = useSoma()
  const [isInterrupted, setIsInterrupted] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = db.followLost((isLost) => {
      clearTimeout(timer)
      if (isLost) timer = setTimeout(() => setIsInterrupted(true), patience)
      else setIsInterrupted(false)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [db])
  return isInterrupted
}
