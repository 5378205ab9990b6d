import { daysLeft, type Licence, licenceReminder } from '#domain/users/licence.ts'
import { fullDay } from './time.ts'

/** `GC-1234, valid until 31 Mar 2027`. `now`: ISO 8601. */
export const licenceText = ({ number, expires }: Licence, now: string): string =>
  `${number}, ${daysLeft({ number, expires }, now) < 0 ? 'expired' : 'valid until'} ${fullDay(expires)}`

export type LicenceWarning = { tone: 'gold' | 'red'; title: string; text: string }

/**
 * What a driver is told of their licence: from 30 days before its end, and once it has ended (R114). `next`: the
 * one that was entered on this phone and is not sent yet; `pending`: the one that is not checked yet (R139).
 */
export function licenceWarning(
  licence: Licence | undefined,
  now: string,
  next?: Licence,
  pending?: Licence,
): LicenceWarning | undefined {
  if (!licence) return undefined
  const left = daysLeft(licence, now)
  if (left > licenceReminder) return undefined
  const isRenewed = next !== undefined && daysLeft(next, now) >= 0
  const isToCheck = pending !== undefined && daysLeft(pending, now) >= 0
  const until = isToCheck ? 'your new one is checked' : 'you enter the new one'
  if (left < 0)
    return {
      tone: 'red',
      title: `Your courier licence expired on ${fullDay(licence.expires)}`,
      text: isRenewed
        ? 'You cannot accept jobs until your new one is sent.'
        : `You cannot accept jobs until ${until}.`,
    }
  if (isRenewed) return undefined
  return {
    tone: 'gold',
    title: `Your courier licence ends ${left === 0 ? 'today' : left === 1 ? 'tomorrow' : `in ${left} days`}`,
    text: `You cannot accept jobs after ${fullDay(licence.expires)} until ${until}.`,
  }
}
