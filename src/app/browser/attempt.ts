import { Refusal } from '#domain/errors.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import { isQuotaExceeded } from '#sync/database/with-eviction.ts'
import { errorText } from '../texts/error-text.ts'
import { dismissAbout, toast } from '../toasts.ts'
import { nextPaint } from './next-paint.ts'

/**
 * Runs `work` once the screen shows that it was asked for; when it throws, shows a toast with `title` and the error's message, or `otherwise` where the
 * message is not meant for people; `onFailure` gets that text. A full phone has a toast of its own. Resolves to
 * whether it succeeded; never rejects.
 */
export async function attempt(
  title: string,
  work: () => unknown,
  otherwise = 'Something went wrong on this phone. Please try again.',
  onFailure: (text: string) => void = () => {},
): Promise<boolean> {
  // What the tap has changed, such as the text of its button, is drawn before the phone is busy with the work.
  await nextPaint()
  dismissAbout(title)
  try {
    await work()
    return true
  } catch (error) {
    if (isQuotaExceeded(error)) {
      note('The phone had no room', { error })
      toastFullPhone()
      return false
    }
    const message = messageForPeople(error)
    if (message === undefined) note(title, { error })
    onFailure(message ?? otherwise)
    toast({ title, text: message ?? otherwise, destructive: true, about: title })
    return false
  }
}

/** The error's message where it is meant for people. */
function messageForPeople(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof Refusal || error.name === 'Unreachable') return errorText(error.message)
  return undefined
}

/** Shows the toast for full storage, with what helps (S26). */
export const toastFullPhone = (): void =>
  toast({
    title: 'This phone is full',
    text: 'This was not saved. Delete photos or apps you do not need, then try again. Everything not sent yet is safe.',
    destructive: true,
  })
