import { useState } from 'react'
import { jsonItem } from '../../browser/json-storage.ts'
import { useVisitor } from '../use-visitor.ts'

/**
 * A typed text that is kept in session storage until `clear` is called. It survives a closed dialog and a
 * killed page.
 */
export function useSessionText(name: string) {
  const account = useVisitor().user?.ID ?? 'guest'
  const item = jsonItem(() => sessionStorage, `typed:${account}:${name}`)
  const [text, setText] = useState(() => {
    const saved = item.get()
    return typeof saved === 'string' ? saved : ''
  })
  return {
    text,
    type(next: string) {
      setText(next)
      item.set(next)
    },
    clear: item.remove,
  }
}
