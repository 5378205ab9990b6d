import { useSyncExternalStore } from 'react'

/** As wide as Tailwind's `lg`. */
const wide = '(min-width: 64rem)'
const isWide = () => matchMedia(wide).matches

function follow(changed: () => void) {
  const media = matchMedia(wide)
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}

/** Whether the screen has room for two columns, for what no stylesheet can decide. */
export const useWide = (): boolean => useSyncExternalStore(follow, isWide)
