import { type Reason, reasonTexts } from '#domain/errors.ts'
import type { Entry } from '#store/deliveries/operations.ts'
import { isUnsent, needsUpdate } from '#store/outbox/entry.ts'
import { lostTexts } from '../../components/delivery/lost.tsx'
import { isThrottled } from '../../components/delivery/status.tsx'
import type { Tone } from '../../components/text/tag.tsx'
import { entryTitle } from '../../texts/outbox-texts.ts'
import { timeOrDate } from '../../texts/time.ts'

/** An entry's state in words, and a note on the reason. */
export type EntryStateText = { text: string; tone: Tone; note?: string }

/** `cancellation`: what takes back this request. */
type About = { expired?: boolean; share?: number; cancellation?: Entry }

/**
 * The entry's state for the outbox screen (S28). `all` holds the entries it may depend on; `share` is the
 * uploaded share of its photo, from 0 to 1.
 */
export function entryState(
  entry: Entry,
  all: readonly Entry[],
  { expired = false, share, cancellation }: About = {},
): EntryStateText {
  const saved = { text: 'Saved on this phone', tone: 'gold' } as const
  if (needsUpdate(entry)) return { ...saved, note: 'Update to send this.' }
  if (entry.state === 'refused') return refusedState(entry)
  if (entry.takingBack || entry.gaveUp) return takenBackState(entry)
  if (cancellation) return cancelledState(entry, cancellation)
  switch (entry.state) {
    case 'waiting':
      return { ...saved, note: expired ? 'Goes when you have signed in.' : parentNote(entry, all) }
    case 'retrying':
      if (isThrottled(entry))
        return { ...saved, note: `Too many attempts, retrying at ${timeOrDate(entry.nextAt)}.` }
      return { ...saved, note: 'No answer yet, trying again.' }
    case 'parked':
      return { ...saved, note: `Put off, tried once a day. ${reasonOf(entry) ?? ''}`.trim() }
    case 'sending':
      return { text: share === undefined ? 'Sending…' : `Sending… ${percent(share)}`, tone: 'gold' }
    case 'cancelled':
      return { text: 'Taken back', tone: 'plain' }
    case 'done':
      return { text: entry.endedAt ? `Sent ${timeOrDate(entry.endedAt)}` : 'Sent', tone: 'green' }
  }
}

const refusedState = (entry: Entry): EntryStateText =>
  entry.error?.reason === 'lost'
    ? { text: lostTexts.title, tone: 'red', note: lostNote(entry) }
    : { text: 'Not sent, tap to fix', tone: 'red', note: reasonOf(entry) }

/** What depends on something that was lost goes with it. */
const lostNote = ({ error }: Entry): string =>
  error?.because ? 'It is sent again with what it depends on.' : lostTexts.text

const asking = { text: 'Asking whether it arrived…', tone: 'gold' } as const
const arrived = { text: 'It had already reached the server', tone: 'green' } as const
const takenBack = { text: 'Taken back', tone: 'plain' } as const

/** An entry that may have arrived, and that the person took back or gave up (S56). */
function takenBackState({ state, gaveUp }: Entry): EntryStateText {
  if (gaveUp)
    return {
      text: 'Stopped',
      tone: 'plain',
      note: 'It may already have arrived. It is not sent again.',
    }
  if (state === 'done') return { ...arrived, note: 'So it could not be taken back.' }
  if (state === 'cancelled') return { ...takenBack, note: 'It had not arrived.' }
  return { ...asking, note: 'It is not sent again. We ask as soon as there is a connection.' }
}

/** A request that may have arrived: it is cancelled where it then is (S56). */
function cancelledState({ state }: Entry, cancellation: Entry): EntryStateText {
  if (state !== 'done') return { ...asking, note: 'If it did, it is cancelled there.' }
  if (cancellation.state === 'done')
    return { ...takenBack, note: 'It had reached the server, and was cancelled there.' }
  if (cancellation.state === 'refused')
    return { ...arrived, note: 'It could not be cancelled any more.' }
  return { ...arrived, tone: 'gold', note: 'It is being cancelled there.' }
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

/** The reason of a refusal: the server's message, else the text for its reason code. */
function reasonOf({ error }: Entry): string | undefined {
  if (!error) return undefined
  if (error.message !== '' && error.message !== 'API error') return error.message
  return (reasonTexts as Partial<Record<Reason, string>>)[error.reason]
}

function parentNote(entry: Entry, all: readonly Entry[]): string | undefined {
  const parent = all.find((each) => entry.after.includes(each.id) && isUnsent(each))
  if (!parent) return undefined
  return parent.op === 'uploadPhoto' ? 'Waits for its photo.' : `Waits for “${entryTitle(parent)}”.`
}
