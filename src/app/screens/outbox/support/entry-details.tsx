import { useState } from 'react'
import { isDeclined } from '#store/entries/declined.ts'
import type { Entry } from '#store/entries/operations.ts'
import { entriesWithParents, unsentEntryKeys } from '#store/queries/outbox/outbox.ts'
import { isUndoable } from '#sync/database/entry.ts'
import { copyText } from '../../../browser/device/clipboard.ts'
import { Button } from '../../../components/forms/button.tsx'
import { useLive, useOwn } from '../../../hooks/use-live.ts'
import { entryTitle } from '../../../texts/outbox-texts.ts'
import { exactTime } from '../../../texts/time.ts'

/** How many entries are listed at first, and how many more each time. */
const step = 20

/** What support asks about each entry that was not sent: its tries, its last response and its request ID (S28). */
export function EntryDetails() {
  const [most, setMost] = useState(step)
  const all = useOwn(unsentEntryKeys) ?? []
  const seqs = all.slice(0, most)
  const found = useLive(entriesWithParents, seqs)
  if (!found || found.entries.length === 0) return null
  return (
    <section aria-label="Not sent yet" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 className="font-semibold">Not sent yet</h3>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {found.entries.map((entry) => (
          <li key={entry.id} className="grid gap-2 border-t border-line pt-3">
            <strong className="[overflow-wrap:anywhere]">{entryTitle(entry)}</strong>
            <Figures entry={entry} />
            <Button
              look="line"
              className="justify-self-start"
              aria-label={`Copy request ID of ${entryTitle(entry)}`}
              onClick={() => copyText(entry.id, 'The request ID')}
            >
              Copy request ID
            </Button>
          </li>
        ))}
      </ul>
      {all.length > most && (
        <Button look="line" onClick={() => setMost(most + step)}>
          Show {Math.min(step, all.length - most)} more of {all.length}
        </Button>
      )}
    </section>
  )
}

function Figures({ entry }: { entry: Entry }) {
  const figures: [string, string][] = [
    ['Tries', String(entry.attempts)],
    ['Last response', lastResponseText(entry)],
    ['Next try', nextTry(entry)],
    ['Request ID', entry.id],
  ]
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
      {figures.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft">{name}</dt>
          <dd className={name === 'Request ID' ? 'font-mono text-xs [overflow-wrap:anywhere]' : ''}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** What came back of the last try, and when. */
function lastResponseText({ lastAnswer, error, attempts }: Entry): string {
  if (!lastAnswer) return attempts === 0 ? 'Not tried yet' : 'No response'
  const at = exactTime(lastAnswer.at)
  if (lastAnswer.status === undefined) return `No response, ${at}`
  return `${lastAnswer.status}${error?.message ? `, ${error.message}` : ''}, ${at}`
}

function nextTry(entry: Entry): string {
  const { state, nextAt, held } = entry
  if (isDeclined(entry)) return 'None'
  if (state === 'refused') return 'Not before it is fixed'
  if (state === 'sending') return 'Being sent now'
  if (nextAt <= Date.now()) return 'As soon as there is a connection'
  if (state === 'parked') return `${exactTime(nextAt)}, then once a day`
  return held && !isUndoable(entry) ? `${exactTime(nextAt)}, set by our service` : exactTime(nextAt)
}
