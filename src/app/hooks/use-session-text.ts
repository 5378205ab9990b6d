import { useState } from 'react'
import { jsonItem } from '../browser/json-storage.ts'
import { useVisitor } from './use-visitor.ts'

/**
 * A text this person types and has not handed in yet. It outlives the dialog it stands in, and a page
 * that is killed, for as long as the tab lives.
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
