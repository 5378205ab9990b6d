import { useParams } from 'react-router-dom'
import { type Delivery, isPartyTo } from '#domain/deliveries/delivery.ts'
import type { DecisionKind } from '#domain/deliveries/endings/incidents.ts'
import { referenceOf } from '#domain/deliveries/reference.ts'
import type { Entry } from '#store/entries/operations.ts'
import { adminDispute, type DisputeInFull, type DisputeRow } from '#store/queries/admin/admin.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Button, ButtonLink } from '../../../components/forms/button.tsx'
import { PageLayout } from '../../../components/page/page.tsx'
import { Loading } from '../../../components/page/skeleton.tsx'
import { Empty } from '../../../components/text/empty.tsx'
import { ListUnavailable } from '../../../components/text/list-unavailable.tsx'
import { Notice } from '../../../components/text/notice.tsx'
import { Tag } from '../../../components/text/tag.tsx'
import { Verbatim } from '../../../components/text/verbatim.tsx'
import { isUnavailable, useListState } from '../../../hooks/lists/use-list-state.ts'
import { useOwn } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { useVisitor } from '../../../hooks/use-visitor.ts'
import { paths } from '../../../paths.ts'
import { bothShares, decisionName, sharesBy } from '../../../texts/decision-texts.ts'
import { longDate } from '../../../texts/time.ts'
import { Contacts, History } from '../deliveries/history-and-contacts.tsx'
import { DecisionForm } from './decision-form.tsx'
import { Evidence } from './evidence.tsx'

/** One dispute: the issue, the delivery, and its resolution (R32). */
export function DisputePage() {
  const { id = '' } = useParams()
  const list = useListState({ kind: 'adminDispute', id }, 'Failed to load disputes')
  const found = useOwn(adminDispute, id)
  return (
    <PageLayout title="Dispute">
      <ButtonLink look="line" icon="back" to={paths.adminDisputes} className="justify-self-start">
        All disputes
      </ButtonLink>
      {found ? (
        <div className="grid items-start gap-4 xl:grid-cols-2">
          <div className="grid gap-4">
            <Issue dispute={found.dispute} />
            <Resolution key={id} found={found} />
          </div>
          {found.delivery ? (
            <div className="grid gap-4">
              <History row={found.delivery} />
              <Evidence view={found.delivery.view} />
              <Contacts view={found.delivery.view} />
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
  const { ID, issue, type, priority, CreatedAt, status, resolving, reporter } = dispute
  const side = reporter?.side ?? (type === 'driver_issue' ? 'driver' : 'sender')
  const by = reporter?.name ? `${side}, ${reporter.name},` : side
  return (
    <section className="card grid gap-3" aria-label="Issue">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h2 className="min-w-0 text-base" title={ID}>
          Dispute <Verbatim>#{referenceOf(ID)}</Verbatim>
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
function Resolution({ found }: { found: DisputeInFull }) {
  const { dispute, delivery, refused } = found
  const { status, resolution, ResolvedAt, deciding } = dispute
  const { user } = useVisitor()
  if (status === 'resolved')
    return (
      <>
        {refused && <Refused entry={refused} />}
        <Notice tone="green" title={`Resolved on ${longDate(ResolvedAt)}`}>
          <p className="whitespace-pre-line">{resolution}</p>
          {delivery?.view.decision?.at === ResolvedAt && (
            <Outcome view={delivery?.view} {...delivery?.view.decision} />
          )}
        </Notice>
      </>
    )
  if (deciding)
    return (
      <Notice title="Resolved · not confirmed yet">
        <p className="whitespace-pre-line">{deciding.resolution}</p>
        <Outcome
          view={delivery?.view}
          kind={deciding.decision}
          driverShare={deciding.driverShare}
        />
      </Notice>
    )
  if (user && delivery && isPartyTo(delivery.view, { user }))
    return (
      <Notice title="This is your own delivery">
        <p>Another admin decides about it.</p>
      </Notice>
    )
  if (user?.role === 'support')
    return (
      <Notice title="An admin decides">
        <p>Tell the caller what is known so far. The decision reaches both sides.</p>
      </Notice>
    )
  return (
    <>
      {refused && <Refused entry={refused} />}
      <DecisionForm key={delivery ? 'known' : 'loading'} dispute={dispute} view={delivery?.view} />
    </>
  )
}

/** What was decided about the money. */
function Outcome(props: { view?: Delivery; kind?: DecisionKind; driverShare?: number }) {
  const { view, kind, driverShare } = props
  if (!kind) return null
  const shares = view && sharesBy(view.offer, kind, driverShare)
  return (
    <p className="font-semibold">
      {decisionName(kind, view)}
      {shares && `: ${bothShares(shares)}`}
    </p>
  )
}

/** A decision that the server would not have: another admin was first, or the money has moved meanwhile. */
function Refused({ entry }: { entry: Entry<'resolveDispute'> }) {
  const { commands } = useSoma()
  return (
    <div role="alert">
      <Notice tone="red" title="Your decision was not saved">
        <p>{entry.error?.message}</p>
        <p className="whitespace-pre-line">“{entry.input.resolution}”</p>
        <Button
          look="edge"
          className="justify-self-start"
          onClick={() => attempt('Error', () => commands.discard(entry.id))}
        >
          Dismiss
        </Button>
      </Notice>
    </div>
  )
}
