import { useEffect, useState } from 'react'

/** Milliseconds after the last key press until the search follows. */
const stillness = 250

/**
 * The text of a search field. `search` gets it, trimmed, when nothing was typed for a moment. Back, a reload and another
 * screen change `asked`: the field follows, and what is typed meanwhile stays.
 */
export function useTypedSearch(asked: string, search: (text: string) => void) {
  const [text, setText] = useState(asked)
  const [shown, setShown] = useState(asked)
  const [own, setOwn] = useState(asked)
  if (shown !== asked) {
    setShown(asked)
    setOwn(asked)
    if (asked !== own) setText(asked)
  }
  const typed = text.trim()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the clock anew.
  useEffect(() => {
    if (typed === asked) return
    const timer = setTimeout(() => {
      setOwn(typed)
      search(typed)
    }, stillness)
    return () => clearTimeout(timer)
  }, [typed])
  return [text, setText] as const
}
