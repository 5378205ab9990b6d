import { useEffect, useState } from 'react'

/** Milliseconds since 1970, renewed every so many milliseconds while the screen is shown. */
export function useNow(every: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every)
    return () => clearInterval(timer)
  }, [every])
  return now
}
