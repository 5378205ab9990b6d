import { type FormEvent, useState } from 'react'
import { useParams } from 'react-router-dom'
import { maxResolution } from '#domain/deliveries/dispute.ts'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { adminDispute, type DisputeRow } from '#store/queries/admin.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Button, ButtonLink } from '../../../components/forms/button.tsx'
import { TextAreaField } from '../../../components/forms/fields.tsx'
import { PageLayout } from '../../../components/page/page.tsx'
import { Loading } from '../../../components/page/skeleton.tsx'
import { Empty } from '../../../components/text/empty.tsx'
import { ListUnavailable } from '../../../components/text/list-unavailable.tsx'
import { Notice } from '../../../components/text/notice.tsx'
import { Tag } from '../../../components/text/tag.tsx'
import { isUnavailable, useListState } from '../../../hooks/use-list-state.ts'
import { useLive } from '../../../hooks/use-live.ts'
import { useSessionText } from '../../../hooks/use-session-text.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { paths } from '../../../paths.ts'
import { longDate } from '../../../texts/time.ts'
import { Photos } from '../deliveries/delivery-details.tsx'
import { Contacts, History } from '../deliveries/history-and-contacts.tsx'

/** One dispute: the issue, the delivery, and its resolution (R32). */
export function DisputePage() {
  const { id = '' } = useParams()
  const list = useListState({ kind: 'adminDispute', id }, 'Failed to load disputes')
  const found = useLive((db) => adminDispute(db, id), [id])
  return (
    <PageLayout title="Dispute">
      <ButtonLink look="line" icon="back" to={paths.adminDisputes} className="justify-self-start">
        All disputes
      </ButtonLink>
      {found ? (
        <div className="grid items-start gap-4 xl:grid-cols-2">
          <div className="grid gap-4">
            <Issue dispute={found.dispute} />
            <Resolution key={id} dispute={found.dispute} />
          </div>
          {found.delivery ? (
            <div className="grid gap-4">
              <History row={found.delivery} />
              <Contacts view={found.delivery.view} />
              <section className="card grid gap-3 empty:hidden" aria-label="Photos">
                <Photos view={found.delivery.view} />
              </section>
            </div>
          ) : isUnavailable(list) ? (
            <ListUnavailable list={list} icon="box" what="The delivery it is about comes" />
          ) : (
            <Loading rows={2} label="Loading the delivery" />
          )}
        </div>
      ) : list.is === 'refused' ? (
        <Empty icon="flag" title="No such dispute" />
      ) : isUnavailable(list) ? (
        <ListUnavailable list={list} icon="flag" what="This dispute comes" />
      ) : (
        <Loading label="Loading dispute" />
      )}
    </PageLayout>
  )
}

function Issue({ dispute }: { dispute: DisputeRow }) {
  const { ID, issue, type, priority, CreatedAt, status, resolving } = dispute
  const by = type === 'driver_issue' ? 'driver' : 'sender'
  return (
    <section className="card grid gap-3" aria-label="Issue">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h2 className="min-w-0 text-base" title={ID}>
          Dispute #{referenceOf(ID)}
        </h2>
        {resolving ? (
          <Tag tone="gold">Not sent yet</Tag>
        ) : (
          <Tag tone={status === 'resolved' ? 'green' : 'red'}>{status ?? 'open'}</Tag>
        )}
      </div>
      <p className="text-lg whitespace-pre-line">{issue ?? 'N/A'}</p>
      <p className="text-sm text-soft">
        Reported by the {by} on {longDate(CreatedAt)}, priority {priority ?? 'medium'}
      </p>
    </section>
  )
}

/** The resolution, or the form that resolves the dispute. */
function Resolution({ dispute }: { dispute: DisputeRow }) {
  const { commands } = useSoma()
  const { text, type, clear: handedIn } = useSessionText(`resolution:${dispute.ID}`)
  const [error, setError] = useState<string>()
  const { status, resolution, ResolvedAt, resolving } = dispute
  if (status === 'resolved')
    return (
      <Notice tone="green" title={`Resolved on ${longDate(ResolvedAt)}`}>
        <p className="whitespace-pre-line">{resolution}</p>
      </Notice>
    )
  if (resolving)
    return (
      <Notice title="Resolved · not confirmed yet">
        <p className="whitespace-pre-line">{resolving}</p>
      </Notice>
    )
  const missing = (said: string) =>
    said.trim() === '' ? 'Please say how it was resolved.' : undefined
  const resolve = async (event: FormEvent) => {
    event.preventDefault()
    const problem = missing(text)
    setError(problem)
    if (problem) return
    if (await attempt('Error', () => commands.resolveDispute(dispute.ID, text))) handedIn()
  }
  return (
    <form onSubmit={resolve} className="card grid gap-3" aria-label="Resolution" noValidate>
      <TextAreaField
        label="Resolution"
        hint="What you found out and what was agreed."
        maxLength={maxResolution}
        value={text}
        error={error}
        onChange={(event) => {
          type(event.target.value)
          setError(undefined)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit()
        }}
      />
      <Button type="submit">Resolve dispute</Button>
    </form>
  )
}
