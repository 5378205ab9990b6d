import { useSearchParams } from 'react-router-dom'
import { changedQuery } from './address-query.ts'

/**
 * The address's query, and a function that sets some of it (`changedQuery`). No step is added to
 * the browser's history.
 */
export function useAddress(): [URLSearchParams, (values: Record<string, string>) => void] {
  const [params, setParams] = useSearchParams()
  const change = (values: Record<string, string>) =>
    setParams(
      // As it is now: the caller may have been drawn before the last change, such as a timer's.
      () => changedQuery(location.search, values),
      { replace: true },
    )
  return [params, change]
}
