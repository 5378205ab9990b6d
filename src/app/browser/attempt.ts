import { Refusal } from '#domain/errors.ts'
import { toast } from '../shell/toasts.ts'
import { errorText } from '../texts/error-text.ts'

/**
 * Does what a person asked; when that fails, says so in a toast under `title`.
 * Resolves to whether it was done.
 */
export async function attempt(
  title: string,
  work: () => unknown,
  otherwise = 'Something went wrong on this phone. Please try again.',
): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    toast({ title, text: messageForPeople(error) ?? otherwise, destructive: true })
    return false
  }
}

/** An error's message when it was written for people; the rest are ours and say nothing to them. */
function messageForPeople(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof Refusal || error.name === 'Unreachable') return errorText(error.message)
  if (error.name === 'QuotaExceededError')
    return 'This phone has no room left. Free some space and try again.'
  return undefined
}
