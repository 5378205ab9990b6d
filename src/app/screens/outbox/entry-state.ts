import { type Reason, reasonTexts } from '#domain/errors.ts'
import type { Entry } from '#store/deliveries/operations.ts'
import { isUnsent, needsUpdate } from '#store/outbox/entry.ts'
import { isThrottled } from '../../components/delivery/status.tsx'
import type { Tone } from '../../components/text/tag.tsx'
import { entryTitle } from '../../texts/outbox-texts.ts'
import { timeOrDate } from '../../texts/time.ts'

/** An entry's state in words, and a note on the reason. */
export type EntryStateText = { text: string; tone: Tone; note?: string }

/**
 * The entry's state for the outbox screen (S28). `all` holds the entries it may depend on; `share` is the
 * uploaded share of its photo, from 0 to 1.
 */
export function entryState(
  entry: Entry,
  all: readonly Entry[],
  { expired = false, share }: { expired?: boolean; share?: number } = {},
): EntryStateText {
  const saved = { text: 'Saved on this phone', tone: 'gold' } as const
  if (needsUpdate(entry)) return { ...saved, note: 'Update to send this.' }
  if (entry.takingBack || entry.gaveUp) return takenBackState(entry)
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
    case 'refused':
      return { text: 'Not sent, tap to fix', tone: 'clay', note: reasonOf(entry) }
    case 'cancelled':
      return { text: 'Taken back', tone: 'plain' }
    case 'done':
      return { text: entry.endedAt ? `Sent ${timeOrDate(entry.endedAt)}` : 'Sent', tone: 'green' }
  }
}

/** An entry that may have arrived, and that the person took back or gave up (S56). */
function takenBackState({ state, gaveUp }: Entry): EntryStateText {
  if (gaveUp) return { text: 'Stopped', tone: 'plain', note: 'It may already have arrived.' }
  if (state === 'done') return { text: 'It had already reached the server', tone: 'green' }
  if (state === 'cancelled') return { text: 'Taken back', tone: 'plain' }
  return { text: 'Asking whether it arrived…', tone: 'gold' }
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
