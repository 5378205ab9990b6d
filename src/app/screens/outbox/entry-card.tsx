import { useState } from 'react'
import type { Entry } from '#store/deliveries/operations.ts'
import { Tag } from '../../components/text/tag.tsx'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { entryTitle } from '../../texts/outbox-texts.ts'
import { timeOrDate } from '../../texts/time.ts'
import { EntryActions, RefusedActions } from './entry-actions.tsx'
import { type EntryStateText, entryState } from './entry-state.ts'

type Props = {
  entry: Entry
  /** Unsent entries, among them those that this one depends on. */
  parents: readonly Entry[]
  /** What takes back this request (S56). */
  cancellation?: Entry
  /** The ID of the request that this entry takes back: its card says and offers everything. */
  cancels?: string
  /** The uploaded share of its photo, from 0 to 1. */
  share?: number
}

/** One entry of the outbox: its state, times and actions (S28). */
export function EntryCard({ entry, parents, cancellation, cancels, share }: Props) {
  const { expired } = useVisitor()
  const state = entryState(entry, parents, { expired, share, cancellation })
  if (entry.state === 'refused') return <RefusedCard entry={entry} state={state} />
  return (
    <article aria-label={entryTitle(entry)} className="card grid gap-2">
      <Heading entry={entry} state={state} />
      {entry.state === 'sending' && <Progress share={share} />}
      <When entry={entry} />
      {state.note && <p className="text-sm text-soft">{state.note}</p>}
      {cancels === undefined && <EntryActions entry={entry} cancellation={cancellation} />}
    </article>
  )
}

/** A refused entry: closed it shows the reason, open its actions too. */
function RefusedCard({ entry, state }: { entry: Entry; state: EntryStateText }) {
  const [open, setOpen] = useState(true)
  return (
    <article aria-label={entryTitle(entry)} className="card border-red">
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="grid min-h-12 cursor-pointer gap-2">
          <Heading entry={entry} state={state} />
          {state.note && <span className="font-semibold text-red">{state.note}</span>}
        </summary>
        <div className="grid gap-2 pt-2">
          <When entry={entry} />
          <RefusedActions entry={entry} />
        </div>
      </details>
    </article>
  )
}

function Heading({ entry, state }: { entry: Entry; state: EntryStateText }) {
  return (
    <span className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
      <strong className="[overflow-wrap:anywhere]">{entryTitle(entry)}</strong>
      <Tag tone={state.tone}>{state.text}</Tag>
    </span>
  )
}

const When = ({ entry }: { entry: Entry }) => (
  <p className="text-sm text-soft">Saved at {timeOrDate(entry.occurredAt)}</p>
)

/** The upload's progress where the browser reports it, else an animation. */
function Progress({ share }: { share: number | undefined }) {
  if (share === undefined)
    return (
      <div aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-line">
        <div className="h-full w-2/5 rounded-full bg-gold [animation:beat_1.2s_infinite]" />
      </div>
    )
  return (
    <progress
      aria-label="Photo sent"
      value={share}
      className="h-2 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-gold [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-gold"
    />
  )
}
