import { hasContent, type SendDraft } from '#domain/deliveries/draft.ts'
import type { Entry } from '#store/deliveries/operations.ts'
import { isUnsent } from '#store/outbox/entry.ts'
import { countForOthers, uploads } from '#store/queries/outbox.ts'
import { draft, outbox, quarantined } from '#store/queries/queries.ts'
import { ButtonLink } from '../../components/forms/button.tsx'
import { PageLayout } from '../../components/page/page.tsx'
import { Loading } from '../../components/page/skeleton.tsx'
import { Empty } from '../../components/text/empty.tsx'
import { Notice } from '../../components/text/notice.tsx'
import { useLive } from '../../hooks/use-live.ts'
import { paths } from '../../paths.ts'
import { DraftCard } from './draft-card.tsx'
import { EntryCard } from './entry-card.tsx'
import { isReplaced } from './entry-state.ts'
import { QuarantinedRows } from './quarantined.tsx'
import { Summary } from './summary.tsx'
import { SupportDetails } from './support-details.tsx'

/** The outbox: what waits on this device, what was refused and what was sent (S28). */
export default function Outbox() {
  const entries = useLive((db) => outbox(db))
  const typed = useLive(draft)
  const aside = useLive(quarantined)
  const unsent = entries?.filter((entry) => isUnsent(entry) || entry.state === 'refused').length
  return (
    <PageLayout title="Outbox" lead="You can close the app. What waits here goes by itself.">
      <Summary unsent={unsent ?? 0} />
      <KeptForOthers />
      {entries === undefined || typed === undefined ? (
        <Loading label="Loading the outbox" />
      ) : (
        <Entries
          entries={entries}
          typed={typed && hasContent(typed) ? typed : undefined}
          empty={aside?.length === 0}
        />
      )}
      {aside && aside.length > 0 && <QuarantinedRows things={aside} />}
      <SupportDetails />
    </PageLayout>
  )
}

/** How many entries wait for another account's login. That account is not named. */
function KeptForOthers() {
  const count = useLive(countForOthers) ?? 0
  if (count === 0) return null
  const one = count === 1
  return (
    <Notice title={`${count} saved item${one ? '' : 's'} wait${one ? 's' : ''} for a login`}>
      <p className="text-sm">
        Saved by somebody who has logged out. {one ? 'It goes' : 'They go'} when that person logs in
        on this phone.
      </p>
      <ButtonLink look="edge" to={paths.auth} className="justify-self-start">
        Login
      </ButtonLink>
    </Notice>
  )
}

type Lists = { entries: Entry[]; typed: SendDraft | undefined; empty: boolean }

function Entries({ entries, typed, empty }: Lists) {
  const refused = entries.filter(({ state }) => state === 'refused')
  const waiting = entries.filter(isUnsent).reverse()
  const history = entries.filter(
    (entry) =>
      (entry.state === 'done' || entry.state === 'cancelled') && !isReplaced(entry, entries),
  )
  if (refused.length + waiting.length + history.length === 0 && !typed && empty)
    return (
      <Empty icon="outbox" title="Nothing waits">
        Requests, codes and approvals made without a connection are listed here.
      </Empty>
    )
  return (
    <>
      <Group title="Needs you" entries={refused} all={entries} />
      <Group title="Waiting" entries={waiting} all={entries} />
      {typed && (
        <section className="grid gap-3" aria-label="Draft">
          <h2>Draft</h2>
          <DraftCard draft={typed} />
        </section>
      )}
      <Group title="History" note="Kept for three days." entries={history} all={entries} />
    </>
  )
}

function Group(props: { title: string; note?: string; entries: Entry[]; all: Entry[] }) {
  const { title, note, entries, all } = props
  const shares = useLive(uploads) ?? {}
  if (entries.length === 0) return null
  return (
    <section className="grid gap-3" aria-label={title}>
      <h2>{title}</h2>
      {entries.map((entry) => (
        <EntryCard
          key={entry.id}
          entry={entry}
          all={all}
          share={entry.op === 'uploadPhoto' ? shares[entry.photos[0] ?? ''] : undefined}
        />
      ))}
      {note && <p className="text-sm text-soft">{note}</p>}
    </section>
  )
}
