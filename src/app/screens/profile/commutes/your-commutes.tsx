import { useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { times } from '#domain/product.ts'
import type { Commute } from '#domain/users/commute.ts'
import { maxCommutes, nextTrip } from '#domain/users/commutes.ts'
import type { User } from '#domain/users/user.ts'
import type { Entry } from '#store/entries/operations.ts'
import { ownCommutes } from '#store/queries/account/own-commutes.ts'
import { attempt } from '../../../browser/attempt.ts'
import { useUnsentText } from '../../../components/delivery/unsent/use-unsent-text.ts'
import { Button, IconButton } from '../../../components/forms/button.tsx'
import { UndoButton } from '../../../components/forms/undo-button.tsx'
import { Tag } from '../../../components/text/tag.tsx'
import { useNow } from '../../../hooks/time/use-now.ts'
import { useSecondsLeft } from '../../../hooks/time/use-seconds-left.ts'
import { useLive } from '../../../hooks/use-live.ts'
import { useNotifications } from '../../../hooks/use-notifications.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { waitsForSignal } from '../../../texts/next-step.ts'
import { daysText, departureText, timesText, wayText } from '../../../texts/way/commute-texts.ts'
import { scrollHere } from '../scroll-here.ts'
import { CommuteForm } from './commute-form.tsx'

const minute = 60_000

/** The same for two commutes that say the same. */
const keyOf = ({ from, to, days, leaves, returns, notify }: Commute) =>
  JSON.stringify([from, to, days, leaves, returns, notify])

const without = (commutes: readonly Commute[], commute: Commute | undefined) =>
  commutes.filter((each) => !commute || keyOf(each) !== keyOf(commute))

/** `commute` in the place of `before`, or at the end. */
function replaced(commutes: readonly Commute[], before: Commute | undefined, commute: Commute) {
  const at = before ? commutes.findIndex((each) => keyOf(each) === keyOf(before)) : -1
  const others = without(without(commutes, before), commute)
  return at < 0 ? [...others, commute] : [...others.slice(0, at), commute, ...others.slice(at)]
}

/** A driver's commutes, and what adds, changes and deletes them (R166). */
export function YourCommutes({ user }: { user: User }) {
  const { commands } = useSoma()
  const now = useNow(minute)
  const { state, isOn } = useNotifications()
  const [editing, setEditing] = useState<Commute | 'new'>()
  const { commutes, waiting } = useLive(ownCommutes) ?? { commutes: user.commutes ?? [] }
  const next = nextTrip(commutes, new Date(now))
  const heading = useRef<HTMLHeadingElement>(null)
  /** Where what was pressed is gone. */
  const focusHeading = () => heading.current?.focus()
  const close = () => {
    setEditing(undefined)
    focusHeading()
  }
  const form = (commute?: Commute) => (
    <CommuteForm
      commute={commute}
      hint={
        state?.isOffered && !isOn ? 'Turn on notifications on this device to hear of them.' : ''
      }
      onSave={(typed) =>
        attempt('Error', () => commands.changeCommutes((all) => replaced(all, commute, typed)))
      }
      onClose={close}
    />
  )
  const remove = async (commute: Commute) => {
    const change = (all: readonly Commute[]) => without(all, commute)
    if (await attempt('Error', () => commands.changeCommutes(change, { holdFor: times.undo })))
      focusHeading()
  }
  return (
    <section
      ref={useLocation().hash === '#commutes' ? scrollHere : undefined}
      className="card grid scroll-mt-20 gap-4"
      aria-labelledby="your-commutes"
    >
      <div className="grid gap-1">
        <h2 ref={heading} id="your-commutes" tabIndex={-1} className="outline-none">
          Your commutes
        </h2>
        <p className="text-sm text-soft">
          {next
            ? `Next: ${wayText(next)}, ${departureText(next.at)}.`
            : 'Trips you make again and again. Drive shows jobs on your way.'}
        </p>
      </div>
      {/* Above the list, however long it is: a deletion can be undone for some seconds. */}
      {waiting && <Waiting entry={waiting} />}
      {commutes.length > 0 && (
        <ul className="grid divide-y divide-line">
          {commutes.map((commute) => (
            <li key={keyOf(commute)} className="py-1">
              {editing !== 'new' && editing && keyOf(editing) === keyOf(commute) ? (
                form(commute)
              ) : (
                <Row
                  commute={commute}
                  onEdit={() => setEditing(commute)}
                  onRemove={() => remove(commute)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {editing === 'new' && form()}
      {editing !== 'new' &&
        (commutes.length < maxCommutes ? (
          <Button look="line" icon="plus" onClick={() => setEditing('new')}>
            Add a commute
          </Button>
        ) : (
          <p className="text-sm text-soft">
            You can keep {maxCommutes} commutes. Delete one to add another.
          </p>
        ))}
    </section>
  )
}

/** What became of the newest change, and the way back from a deletion. */
function Waiting({ entry }: { entry: Entry }) {
  const said = useUnsentText()
  const left = useSecondsLeft(entry)
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span role="status">
        <Tag tone="unsent">{left > 0 ? 'Deleting…' : said(waitsForSignal)}</Tag>
      </span>
      <UndoButton entry={entry} what=" deleting the commute" />
    </span>
  )
}

function Row(props: { commute: Commute; onEdit: () => void; onRemove: () => void }) {
  const { commute } = props
  const way = wayText(commute)
  return (
    <div className="flex items-center">
      <div className="grid min-w-0 flex-1 gap-0.5 py-1.5">
        <strong translate="no">{way}</strong>
        <span className="text-sm text-soft">
          {daysText(commute.days)}, {timesText(commute)}
        </span>
        <span className="text-sm text-soft">
          {commute.notify ? 'Notifies you of new jobs' : 'No notifications'}
        </span>
      </div>
      <Button look="ghost" tight aria-label={`Change ${way}`} onClick={props.onEdit}>
        Change
      </Button>
      <IconButton icon="bin" label={`Delete ${way}`} onClick={props.onRemove} />
    </div>
  )
}
