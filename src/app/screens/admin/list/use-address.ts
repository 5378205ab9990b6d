import { useSearchParams } from 'react-router-dom'

/**
 * The address's query, and a function that sets some of it: an empty value is removed. No step is added to
 * the browser's history.
 */
export function useAddress(): [URLSearchParams, (values: Record<string, string>) => void] {
  const [params, setParams] = useSearchParams()
  const change = (values: Record<string, string>) =>
    setParams(
      () => {
        // As it is now: the caller may have been drawn before the last change, such as a timer's.
        const after = new URLSearchParams(location.search)
        for (const [name, value] of Object.entries(values))
          if (value === '') after.delete(name)
          else after.set(name, value)
        return after
      },
      { replace: true },
    )
  return [params, change]
}
