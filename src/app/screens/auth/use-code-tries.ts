import { useState } from 'react'
import { Refusal } from '#domain/errors.ts'

/** An SMS code ends after so many wrong tries from one address (R62). */
const tries = 5

/** Counts the wrong tries of one SMS code. The server does not say how many are left: that would tell whether there is a code. */
export function useCodeTries() {
  const [wrong, setWrong] = useState(0)
  const left = Math.max(0, tries - wrong)
  return {
    /** Runs what sends the code to the server. */
    counted: async (work: () => Promise<unknown>) => {
      try {
        await work()
      } catch (error) {
        if (error instanceof Refusal && error.reason === 'wrong-sms-code')
          setWrong((count) => count + 1)
        throw error
      }
    },
    /** A new code was asked for. */
    renew: () => setWrong(0),
    /** Why the last try failed, and how many tries are left. */
    failureOf: (failure: string | undefined) =>
      failure && wrong > 0
        ? `${failure} ${left === 0 ? 'Please ask for a new code.' : `${left} ${left === 1 ? 'try' : 'tries'} left.`}`
        : failure,
  }
}
