import { useRef } from 'react'
import { type Discarded, discardPreview } from '#store/queries/outbox/discard-preview.ts'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Button } from '../../components/forms/button.tsx'
import { useOwn } from '../../hooks/use-live.ts'
import { entryTitle } from '../../texts/outbox-texts.ts'

export type Choice = 'send' | 'keep' | 'discard'

type Props = {
  /** Everything that the logout is asked about: entries not sent, refused ones, and a draft. */
  count: number
  busy: boolean
  /** `shown`: IDs of the entries that were named since the question was asked. */
  onChoice: (choice: Choice, shown: string[]) => unknown
  onClose: () => void
}

/** Asks what to do with what was not sent: what never left, and apart from it what may have arrived (S56). */
export function LogoutQuestion({ count, busy, onChoice, onClose }: Props) {
  const unsent = useOwn(discardPreview)
  const named = useRef(new Set<string>())
  const things = `${count} saved item${count === 1 ? '' : 's'}`
  if (!unsent) return null
  const others = count - unsent.length
  for (const { entry } of unsent) named.current.add(entry)
  const choose = (choice: Choice) => onChoice(choice, [...named.current])
  const inDoubt = unsent.filter(({ mayHaveArrived }) => mayHaveArrived)
  return (
    <Dialog title={`${things} not sent yet`} onClose={onClose}>
      <div className="grid gap-3">
        <Items
          title="Never left this phone"
          items={unsent.filter(({ mayHaveArrived }) => !mayHaveArrived)}
        />
        <Items title="May have arrived already" items={inDoubt} />
        {others > 0 && <p className="text-sm text-soft">{othersText(others)}</p>}
      </div>
      <div className="grid gap-2">
        <Button disabled={busy} onClick={() => choose('send')}>
          Try to send, then log out
        </Button>
        <Button look="line" disabled={busy} onClick={() => choose('keep')}>
          Keep them for my next login
        </Button>
        <Button look="red" disabled={busy} onClick={() => choose('discard')}>
          Discard {things}
        </Button>
        {inDoubt.length > 0 && (
          <p className="text-sm text-soft">
            Discard also tries to cancel what may have arrived, and says what it could not.
          </p>
        )}
      </div>
    </Dialog>
  )
}

/** Refused entries, and a draft. */
const othersText = (count: number) =>
  `And ${count === 1 ? 'one' : count} not accepted, or not finished typing.`

/** How many items are named: the buttons below must stay in reach. */
const mostNamed = 4

function Items({ title, items }: { title: string; items: readonly Discarded[] }) {
  if (items.length === 0) return null
  const more = items.length - mostNamed
  return (
    <section aria-label={title} className="grid gap-1">
      <h3 className="text-base font-semibold">{title}</h3>
      <ul className="grid list-disc gap-0.5 pl-5 text-sm text-soft">
        {items.slice(0, mostNamed).map((item) => (
          <li key={item.entry} className="[overflow-wrap:anywhere]">
            {entryTitle(item)}
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
    </section>
  )
}
