import { useState } from 'react'

/** The first value that is known; what comes later changes nothing on the screen that is drawn. */
export function useFirst<T>(value: T | undefined): T | undefined {
  const [first, setFirst] = useState(value)
  if (first === undefined && value !== undefined) setFirst(value)
  return first ?? value
}
