import { useState } from 'react'
import type { SetAside } from '#store/db.ts'
import { type Entry, isUnsent } from '#store/entry.ts'
import { outbox, setAside, syncStatus } from '#store/queries.ts'
import { Button } from '../components/button.tsx'
import { Confirm } from '../components/confirm.tsx'
import { Page } from '../components/page.tsx'
import { Empty, Loading } from '../components/pieces.tsx'
import { useLive } from '../live.ts'
import { useNow } from '../now.ts'
import { useSoma } from '../soma.ts'
import { ago, shortDate } from '../time.ts'
import { EntryCard } from './outbox/entry-card.tsx'

/** What waits on this phone, what was refused and what has gone, in plain words. */
export default function Outbox() {
  const entries = useLive((db) => outbox(db))
  const aside = useLive(setAside)
  return (
    <Page title="Outbox" lead="You can close the app. What waits here goes by itself.">
      <Status />
      {entries === undefined ? (
        <Loading label="Loading the outbox" />
      ) : (
        <Entries entries={entries} empty={aside?.length === 0} />
      )}
      {aside && aside.length > 0 && <SetAsides things={aside} />}
    </Page>
  )
}

function Status() {
  const { engine } = useSoma()
  const status = useLive(syncStatus)
  const now = useNow(30_000)
  const [busy, setBusy] = useState(false)
  if (!status) return null
  const tryNow = async () => {
    setBusy(true)
    // The list below shows how it went.
    await engine.wake().catch(() => {})
    setBusy(false)
  }
  const { reachable, lastSyncAt, today } = status
  return (
    <div className="card flex flex-wrap items-center justify-between gap-3">
      <div className="grid gap-0.5 text-sm text-soft" role="status">
        <strong className="text-base text-ink">
          {reachable === false ? 'Offline' : reachable ? 'Connected' : 'Not tried yet'}
        </strong>
        <span>Last sync: {lastSyncAt ? ago(lastSyncAt, now) : 'never on this phone'}</span>
        <span>
          Data used today: {size(today.up + today.down)} ({size(today.up)} up, {size(today.down)}{' '}
          down)
        </span>
      </div>
      <Button look="line" icon="retry" disabled={busy} onClick={tryNow}>
        {busy ? 'Trying…' : 'Try now'}
      </Button>
    </div>
  )
}

function Entries({ entries, empty }: { entries: Entry[]; empty: boolean }) {
  const refused = entries.filter(({ state }) => state === 'refused')
  const waiting = entries.filter(isUnsent).reverse()
  const history = entries.filter(({ state }) => state === 'done' || state === 'cancelled')
  if (refused.length + waiting.length + history.length === 0 && empty)
    return (
      <Empty icon="outbox" title="Nothing waits">
        Requests, codes and approvals made without a connection are listed here.
      </Empty>
    )
  return (
    <>
      <Group title="Needs you" entries={refused} all={entries} />
      <Group title="Waiting" entries={waiting} all={entries} />
      <Group title="History" note="Kept for three days." entries={history} all={entries} />
    </>
  )
}

function Group(about: { title: string; note?: string; entries: Entry[]; all: Entry[] }) {
  const { title, note, entries, all } = about
  if (entries.length === 0) return null
  return (
    <section className="grid gap-3" aria-label={title}>
      <h2>{title}</h2>
      {entries.map((entry) => (
        <EntryCard key={entry.id} entry={entry} all={all} />
      ))}
      {note && <p className="text-sm text-soft">{note}</p>}
    </section>
  )
}

/** What a person calls what the store keeps under these names. */
const places: Record<string, string> = {
  outbox: 'Something to be sent',
  deliveries: 'A delivery',
  guests: 'Your guest record',
  drafts: 'A draft',
  sessions: 'Your login',
  zones: 'A zone',
  items: 'An item type',
}

function SetAsides({ things }: { things: SetAside[] }) {
  const { commands } = useSoma()
  const [asking, setAsking] = useState<SetAside>()
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

/** Bytes as people read them: `212 kB`. */
const size = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
