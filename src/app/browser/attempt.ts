import { Refusal } from '#domain/errors.ts'
import { note } from '#store/database/device/diagnostics.ts'
import { toast } from '../shell/toasts.ts'
import { errorText } from '../texts/error-text.ts'

/**
 * Runs `work`; when it throws, shows a toast with `title` and the error's message, or `otherwise` where the
 * message is not meant for people. Resolves to whether it succeeded; never rejects.
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
    const message = messageForPeople(error)
    if (message === undefined) note(title, { error })
    toast({ title, text: message ?? otherwise, destructive: true })
    return false
  }
}

/** The error's message where it is meant for people. */
function messageForPeople(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof Refusal || error.name === 'Unreachable') return errorText(error.message)
  if (error.name === 'QuotaExceededError')
    return 'This phone has no room left. Free some space and try again.'
  return undefined
}
