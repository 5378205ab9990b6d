import { useState } from 'react'
import { whyNotRestorable } from '#store/commands/set-aside.ts'
import type { Quarantined } from '#sync/database/engine-db.ts'
import { attempt } from '../../browser/attempt.ts'
import { Confirm } from '../../components/dialogs/confirm.tsx'
import { Button } from '../../components/forms/button.tsx'
import { useSoma } from '../../hooks/use-soma.ts'
import { timeOrDate } from '../../texts/time.ts'

/** A name for each table's rows. */
const names: Record<string, string> = {
  outbox: 'Something to be sent',
  deliveries: 'A delivery',
  guests: 'Your guest record',
  drafts: 'A draft',
  sessions: 'Your login',
  zones: 'A zone',
  items: 'An item type',
}

/** Rows that this release cannot read. They are kept, shown, and deleted only by the person (S18). */
export function QuarantinedRows({ things }: { things: Quarantined[] }) {
  const { commands } = useSoma()
  const [asking, setAsking] = useState<Quarantined>()
  return (
    <section className="grid gap-3" aria-label="Couldn't be read">
      <h2>Couldn't be read</h2>
      <p className="text-sm text-soft">
        These are kept as they were found and stop nothing else. Export, above, keeps a copy.
      </p>
      {things.map((thing) => (
        <article key={thing.id} className="card grid grid-cols-[minmax(0,1fr)] gap-2 border-red">
          <strong>{nameOf(thing)}</strong>
          <span className="text-sm text-soft">
            {thing.why} Found {timeOrDate(thing.at)}.
          </span>
          <details>
            <summary className="flex min-h-12 items-center font-semibold text-green">
              Show what it holds
            </summary>
            <pre className="overflow-x-auto rounded-control bg-line p-3 text-xs">
              {readable(thing.value)}
            </pre>
          </details>
          <Restore thing={thing} onDelete={() => setAsking(thing)} />
        </article>
      ))}
      {asking && (
        <Confirm
          title="Delete this for good?"
          yes="Delete"
          look="red"
          onYes={() => asking.id !== undefined && commands.forgetSetAside(asking.id)}
          onClose={() => setAsking(undefined)}
        >
          It cannot be brought back.
        </Confirm>
      )}
    </section>
  )
}

/** Puts the row back where it was, once this version can read it; otherwise says why not. */
function Restore({ thing, onDelete }: { thing: Quarantined; onDelete: () => void }) {
  const { commands } = useSoma()
  const [busy, setBusy] = useState(false)
  const { id } = thing
  const why = whyNotRestorable(thing)
  const restore = async () => {
    if (id === undefined) return
    setBusy(true)
    await attempt('Error', () => commands.restoreSetAside(id))
    setBusy(false)
  }
  return (
    <>
      {why && <p className="text-sm">{why}</p>}
      <div className="flex flex-wrap gap-2">
        {!why && (
          <Button disabled={busy} onClick={restore}>
            Restore
          </Button>
        )}
        <Button look="red" onClick={onDelete}>
          Delete
        </Button>
      </div>
    </>
  )
}

/** Its name; a file that a version before imported may name anything. */
const nameOf = ({ from }: Quarantined): string =>
  (Object.hasOwn(names, from) && names[from]) || `From ${from}`

function readable(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2).slice(0, 2_000)
  } catch {
    return String(value)
  }
}
