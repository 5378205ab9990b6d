import { type Reason, reasonTexts } from '#domain/errors.ts'
import { isDeclined } from '#store/entries/declined.ts'
import type { Entry } from '#store/entries/operations.ts'
import { isUndoable, isUnsent, needsUpdate } from '#sync/database/entry.ts'
import { isPaused, isThrottled } from '../../../components/delivery/status.tsx'
import { lostTexts } from '../../../components/delivery/unsent/lost.tsx'
import type { Tone } from '../../../components/text/tag.tsx'
import { waitsForSignal } from '../../../texts/next-step.ts'
import { entryTitle, isDisputed } from '../../../texts/outbox-texts.ts'
import { dueTime, timeOrDate } from '../../../texts/time.ts'

/** An item's state in words, and a note on the reason. `isSending`: it is on its way just now. */
export type EntryStateText = { text: string; tone: Tone; note?: string; isSending?: true }

/** `cancellation`: what takes back this request. `share`: of its photo that has gone up, from 0 to 1. */
type About = { expired?: boolean; share?: number; cancellation?: Entry }

/** The state of an item on the outbox screen (S28). `all` holds the entries it may depend on, its photo's too. */
export function entryState(
  entry: Entry,
  all: readonly Entry[],
  { expired = false, share, cancellation }: About = {},
): EntryStateText {
  if (needsUpdate(entry)) return { ...notSent, note: 'Update to send this.' }
  if (entry.state === 'refused') return refusedState(entry)
  if (cancellation) return cancelledState(entry, cancellation)
  if (entry.withdrawal) return withdrawalState(entry, entry.withdrawal)
  if (entry.state === 'cancelled') return endedState(entry)
  if (isDisputed(entry))
    return { text: 'Support decides', tone: 'gold', note: 'It reached us after the cancel.' }
  if (entry.state === 'done')
    return { text: entry.endedAt ? `Sent ${timeOrDate(entry.endedAt)}` : 'Sent', tone: 'green' }
  if (isUndoable(entry)) return { ...notSent, note: 'You can still undo it.' }
  const photo = all.find((each) => each.isPart && entry.after.includes(each.id) && isUnsent(each))
  return unsentState(photo ?? entry, { expired, share, parent: parentNote(entry, all) })
}

const notSent = { text: 'Not sent yet', tone: 'unsent' } as const

/** Of an item that waits, or of its photo, which goes first. */
function unsentState(
  entry: Entry,
  { expired, share, parent }: { expired: boolean; share?: number; parent?: string },
): EntryStateText {
  switch (entry.state) {
    case 'sending':
      return {
        text: share === undefined ? 'Sending…' : `Sending… ${percent(share)}`,
        tone: 'gold',
        isSending: true,
      }
    case 'retrying':
      if (isThrottled(entry))
        return { ...notSent, note: `Too many attempts, retrying at ${timeOrDate(entry.nextAt)}` }
      if (isPaused(entry))
        return {
          ...notSent,
          note: `No new requests until ${dueTime(entry.nextAt)}. It goes by itself.`,
        }
      return { ...notSent, note: 'No connection, trying again.' }
    case 'parked':
      if (entry.error?.reason === 'moved') return { ...notSent, note: reasonTexts.moved }
      return { ...notSent, note: `Paused, retries daily. ${reasonOf(entry) ?? ''}`.trim() }
    default:
      return {
        ...notSent,
        note: expired ? 'Sends when you log in.' : (parent ?? "Sends when you're online."),
      }
  }
}

function refusedState(entry: Entry): EntryStateText {
  if (isDeclined(entry)) return declined(entry)
  const note = entry.error?.reason === 'lost' ? lostNote(entry) : reasonOf(entry)
  return { text: 'Action needed', tone: 'red', note }
}

/** There is nothing to fix. */
const declined = (entry: Entry): EntryStateText => ({
  text: 'Declined',
  tone: 'plain',
  note: reasonOf(entry),
})

/** What depends on something that was lost goes with it. */
const lostNote = ({ error }: Entry): string =>
  error?.because ? 'It is sent again with what it depends on.' : lostTexts.text

/** Cancelled by the person, or declined by us and put away by the person: they are different. */
const endedState = (entry: Entry): EntryStateText =>
  entry.error ? declined(entry) : { text: 'Cancelled', tone: 'plain' }

const cancelling = { text: 'Cancelling…', tone: 'unsent' } as const
const tooLate = { text: 'Already received', tone: 'green' } as const
const cancelled = { text: 'Cancelled', tone: 'plain' } as const

/** An item that may have arrived, and that the person takes back (S56, S73). */
function withdrawalState(
  { state }: Entry,
  withdrawal: NonNullable<Entry['withdrawal']>,
): EntryStateText {
  if (withdrawal === 'unknown')
    return state === 'cancelled'
      ? { text: 'Stopped', tone: 'plain', note: 'It may have arrived. It is not sent again.' }
      : { text: 'It may have arrived', tone: 'gold', note: "It couldn't be cancelled." }
  if (state === 'done') return { ...tooLate, note: "It couldn't be cancelled any more." }
  if (state === 'cancelled') return { ...cancelled, note: 'It had not arrived.' }
  return { ...cancelling, note: waitsForSignal }
}

/** A request that may have arrived: it is cancelled where it then is (S56). */
function cancelledState({ state }: Entry, cancellation: Entry): EntryStateText {
  if (state !== 'done') return { ...cancelling, note: waitsForSignal }
  if (cancellation.state === 'done') return { ...cancelled, note: 'No driver can accept it.' }
  if (cancellation.state === 'refused')
    return { ...tooLate, note: "It couldn't be cancelled any more." }
  return { ...cancelling, note: 'A driver can still accept it until this is sent.' }
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

/** The reason of a refusal: the server's message, else the text for its reason code. */
function reasonOf({ error }: Entry): string | undefined {
  if (!error) return undefined
  if (error.message !== '' && error.message !== 'API error') return error.message
  return (reasonTexts as Partial<Record<Reason, string>>)[error.reason]
}

function parentNote(entry: Entry, all: readonly Entry[]): string | undefined {
  const parent = all.find((each) => entry.after.includes(each.id) && isUnsent(each) && !each.isPart)
  return parent && `Sends after “${entryTitle(parent)}”.`
}
