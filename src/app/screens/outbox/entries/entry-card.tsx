import type { Entry } from '#store/entries/operations.ts'
import { Link } from '../../../components/forms/link.tsx'
import { Tag } from '../../../components/text/tag.tsx'
import { useVisitor } from '../../../hooks/use-visitor.ts'
import { entryTitle } from '../../../texts/outbox-texts.ts'
import { timeAgo } from '../../../texts/time.ts'
import { EntryActions } from './entry-actions.tsx'
import { screenOf } from './entry-screen.ts'
import { entryState } from './entry-state.ts'

type Props = {
  entry: Entry
  /** Unsent entries, among them those that this one depends on. */
  parents: readonly Entry[]
  /** What takes back this request (S56). */
  cancellation?: Entry
  /** The uploaded share of its photo, from 0 to 1. */
  share?: number
}

/** One thing a person did: its state, times and actions (S28). All of it opens what it is about. */
export function EntryCard({ entry, parents, cancellation, share }: Props) {
  const { expired } = useVisitor()
  const state = entryState(entry, parents, { expired, share, cancellation })
  const title = entryTitle(entry)
  const isToFix = state.tone === 'red'
  return (
    <article
      aria-label={title}
      className={`card relative grid gap-2 ${isToFix ? 'border-red' : ''}`}
    >
      <Link to={screenOf(entry)} aria-label={title} className="absolute inset-0 rounded-card" />
      <span className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <strong className="[overflow-wrap:anywhere]">{title}</strong>
        <Tag tone={state.tone}>{state.text}</Tag>
      </span>
      {state.isSending && <Progress share={share} />}
      {state.note && (
        <p className={isToFix ? 'font-semibold text-red' : 'text-sm text-soft'}>{state.note}</p>
      )}
      <p className="text-sm text-soft">{timeAgo(entry.occurredAt)}</p>
      <EntryActions entry={entry} cancellation={cancellation} />
    </article>
  )
}

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
