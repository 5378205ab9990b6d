import { useState } from 'react'
import type { Quarantined } from '#store/database/engine-db.ts'
import { Confirm } from '../../components/dialogs/confirm.tsx'
import { Button } from '../../components/forms/button.tsx'
import { useSoma } from '../../hooks/use-soma.ts'
import { shortDate } from '../../texts/time.ts'

/** A name for each table's rows. */
const places: Record<string, string> = {
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
    <section className="grid gap-3" aria-label="Set aside">
      <h2>Set aside</h2>
      <p className="text-sm text-soft">
        This app could not read these. They are kept as they were found and stop nothing else.
      </p>
      {things.map((thing) => (
        <article key={thing.id} className="card grid grid-cols-[minmax(0,1fr)] gap-2 border-clay">
          <strong>{places[thing.from] ?? `From ${thing.from}`}</strong>
          <span className="text-sm text-soft">
            {thing.why} Found {shortDate(thing.at)}.
          </span>
          <details>
            <summary className="flex min-h-12 items-center font-semibold text-green">
              Show what it holds
            </summary>
            <pre className="overflow-x-auto rounded-control bg-line p-3 text-xs">
              {readable(thing.value)}
            </pre>
          </details>
          <Button look="clay" onClick={() => setAsking(thing)}>
            Delete
          </Button>
        </article>
      ))}
      {asking && (
        <Confirm
          title="Delete this for good?"
          yes="Delete"
          look="clay"
          onYes={() => asking.id !== undefined && commands.forgetSetAside(asking.id)}
          onClose={() => setAsking(undefined)}
        >
          It cannot be brought back.
        </Confirm>
      )}
    </section>
  )
}

function readable(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2).slice(0, 2_000)
  } catch {
    return String(value)
  }
}
