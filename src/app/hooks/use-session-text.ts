import { useState } from 'react'
import { jsonItem } from '../browser/json-storage.ts'
import { useVisitor } from './use-visitor.ts'

/**
 * A typed text that is kept in session storage until `clear` is called. It survives a closed dialog and a
 * killed page.
 */
export function useSessionText(name: string) {
  const account = useVisitor().user?.ID ?? 'guest'
  const kept = jsonItem(() => sessionStorage, `typed:${account}:${name}`)
  const [text, setText] = useState(() => {
    const left = kept.get()
    return typeof left === 'string' ? left : ''
  })
  return {
    text,
    type(next: string) {
      setText(next)
      kept.set(next)
    },
    handedIn: kept.remove,
  }
}
