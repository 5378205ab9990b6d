import { referenceOf } from '#domain/deliveries/reference.ts'
import type { DisputeRow } from '#store/queries/admin/admin.ts'
import { Button, ButtonLink } from '../../../components/forms/button.tsx'
import { PageLayout } from '../../../components/page/page.tsx'
import { Empty } from '../../../components/text/empty.tsx'
import { Tag } from '../../../components/text/tag.tsx'
import { Verbatim } from '../../../components/text/verbatim.tsx'
import { longDate } from '../../../texts/time.ts'
import { disputePath } from '../links.ts'
import { ListFrame } from '../list/list-frame.tsx'
import { useAddress } from '../list/use-address.ts'
import { useListing } from '../list/use-listing.ts'

/** Disputes, open or resolved (R32). */
export function Disputes() {
  const [params, change] = useAddress()
  const status = params.get('status') === 'resolved' ? 'resolved' : 'open'
  const view = useListing('adminDisputes', 'Failed to load disputes', {
    status,
    usualSort: status === 'open' ? 'createdAt' : '',
  })
  const title = status === 'open' ? 'Open Disputes' : 'Resolved Disputes'
  return (
    <PageLayout title="Resolve Disputes">
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">Show</legend>
        {(['open', 'resolved'] as const).map((name) => (
          <Button
            key={name}
            look={status === name ? 'green' : 'line'}
            aria-pressed={status === name}
            onClick={() => change({ status: name === 'open' ? '' : name })}
          >
            {name === 'open' ? 'Open' : 'Resolved'}
          </Button>
        ))}
      </fieldset>
      <section className="grid gap-3" aria-label={title}>
        <h2>{title}</h2>
        <ListFrame
          view={view}
          searchLabel="Search disputes..."
          loadingLabel="Loading disputes"
          icon="flag"
        >
          {(rows) =>
            rows.length > 0 ? (
              <ul className="grid gap-3 lg:grid-cols-2">
                {rows.map((dispute) => (
                  <Card key={dispute.ID} dispute={dispute} />
                ))}
              </ul>
            ) : view.search !== '' ? (
              <Empty icon="search" title="No results." />
            ) : status === 'open' ? (
              <Empty icon="check" title="No active disputes">
                Everything is running smoothly!
              </Empty>
            ) : (
              <Empty icon="flag" title="None resolved yet" />
            )
          }
        </ListFrame>
      </section>
    </PageLayout>
  )
}

function Card({ dispute }: { dispute: DisputeRow }) {
  const { ID, DeliveryID, issue, CreatedAt, resolving } = dispute
  return (
    <li className="card grid content-start gap-3">
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-start justify-between gap-2">
          <strong className="min-w-0" title={ID}>
            Dispute <Verbatim>#{referenceOf(ID)}</Verbatim>
          </strong>
          {resolving && <Tag tone="gold">Not sent yet</Tag>}
        </div>
        <span className="text-sm text-soft" title={DeliveryID}>
          Delivery: <Verbatim>{referenceOf(DeliveryID)}</Verbatim>
        </span>
        {issue && <p className="line-clamp-2">{issue}</p>}
        {CreatedAt && <span className="text-sm text-soft">{longDate(CreatedAt)}</span>}
      </div>
      <ButtonLink look="line" to={disputePath(ID)} data-list-row className="justify-self-start">
        View Details
      </ButtonLink>
    </li>
  )
}
