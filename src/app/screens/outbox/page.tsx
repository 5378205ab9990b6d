import { useMemo } from 'react'
import { hasContent, type SendDraft } from '#domain/deliveries/draft.ts'
import {
  countForOthers,
  type OutboxLists,
  outboxLists,
  replacedEntries,
} from '#store/queries/outbox/outbox.ts'
import { draft, outboxSummary, quarantined, syncStatus } from '#store/queries/queries.ts'
import { ButtonLink } from '../../components/forms/button.tsx'
import { ThemeChoice } from '../../components/forms/theme-choice.tsx'
import { PageLayout } from '../../components/page/page.tsx'
import { Loading } from '../../components/page/skeleton.tsx'
import { Empty } from '../../components/text/empty.tsx'
import { Notice } from '../../components/text/notice.tsx'
import { useLive, useOwn } from '../../hooks/use-live.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { paths } from '../../paths.ts'
import { DataSaver } from './data-saver.tsx'
import { DraftCard } from './draft-card.tsx'
import { EntryList } from './entries/entry-list.tsx'
import { QuarantinedRows } from './quarantined.tsx'
import { Summary } from './summary.tsx'
import { SupportDetails } from './support/support-details.tsx'

/** The outbox: what waits on this device, what was refused and what was sent (S28). */
export default function Outbox() {
  const lists = useOutboxLists()
  const typed = useOwn(draft)
  const aside = useOwn(quarantined)
  const status = useLive(syncStatus)
  const { visitor } = useVisitor()
  const isLoaded = lists && typed !== undefined && aside && status
  return (
    <PageLayout title="Outbox" lead="Everything here sends automatically.">
      {isLoaded ? (
        <>
          <Summary
            status={status}
            hasOwn={lists.waiting.length + lists.refused.length + aside.length > 0}
          />
          <KeptForOthers />
          <Lists
            lists={lists}
            typed={typed && hasContent(typed) ? typed : undefined}
            empty={aside.length === 0}
          />
          {aside.length > 0 && <QuarantinedRows things={aside} />}
          <DataSaver />
          {visitor === 'guest' && <ThemeChoice />}
          <SupportDetails />
        </>
      ) : (
        <Loading label="Loading the outbox" />
      )}
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
        Saved by somebody who has logged out. {one ? 'It sends' : 'They send'} when that person logs
        in on this phone.
      </p>
      <ButtonLink look="edge" to={paths.auth} className="justify-self-start">
        Login
      </ButtonLink>
    </Notice>
  )
}

type Shown = { lists: OutboxLists; typed: SendDraft | undefined; empty: boolean }

function Lists({ lists, typed, empty }: Shown) {
  const { refused, waiting, history } = lists
  const declined = useOwn(outboxSummary)?.declined
  if (refused.length + waiting.length + history.length === 0 && !typed && empty)
    return (
      <Empty icon="outbox" title="All caught up">
        What you do without signal is listed here until it is sent.
      </Empty>
    )
  return (
    <>
      <Group title={declined === refused.length ? 'Declined' : 'Action needed'} seqs={refused} />
      <Group title="Waiting" seqs={waiting} />
      {typed && (
        <section className="grid gap-3" aria-label="Draft">
          <h2>Draft</h2>
          <DraftCard draft={typed} />
        </section>
      )}
      <Group title="History" note="Kept for three days." seqs={history} />
    </>
  )
}

type GroupProps = { title: string; note?: string; seqs: readonly number[] }

function Group({ title, note, seqs }: GroupProps) {
  if (seqs.length === 0) return null
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3" aria-label={title}>
      <h2>{title}</h2>
      <EntryList seqs={seqs} />
      {note && <p className="text-sm text-soft">{note}</p>}
    </section>
  )
}

/** The lists of the screen; what another entry replaced is left out (S28). */
function useOutboxLists(): OutboxLists | undefined {
  const lists = useOwn(outboxLists)
  const replaced = useOwn(replacedEntries)
  return useMemo(
    () =>
      lists && replaced && { ...lists, history: lists.history.filter((seq) => !replaced.has(seq)) },
    [lists, replaced],
  )
}
