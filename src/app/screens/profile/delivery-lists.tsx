import type { ReactNode } from 'react'
import { jobs, sent } from '#store/queries/lists.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { DeliveryCard } from '../../components/delivery/delivery-card.tsx'
import { ButtonLink } from '../../components/forms/button.tsx'
import { Loading } from '../../components/page/skeleton.tsx'
import { Empty } from '../../components/text/empty.tsx'
import type { IconName } from '../../components/text/icon.tsx'
import { ListUnavailable } from '../../components/text/list-unavailable.tsx'
import { isUnavailable, type ListState, useListState } from '../../hooks/use-list-state.ts'
import { useLive } from '../../hooks/use-live.ts'
import { paths } from '../../paths.ts'

/** The deliveries that a driver accepted. */
export function Jobs() {
  const list = useListState({ kind: 'jobs' }, 'Failed to load your deliveries')
  const rows = useLive((db) => jobs(db))
  return (
    <DeliveryList
      title="My Jobs"
      list={list}
      rows={rows}
      icon="car"
      what="Your jobs come"
      empty={
        <Empty icon="car" title="No jobs yet">
          Jobs you accept are listed here.
        </Empty>
      }
    />
  )
}

/** The deliveries that a person requested. `optional`: nothing is shown while there are none. */
export function Sent({ optional }: { optional: boolean }) {
  const failure = optional ? undefined : 'Failed to load your deliveries'
  const list = useListState({ kind: 'sent' }, failure)
  const rows = useLive((db) => sent(db))
  if (optional && rows?.length === 0) return null
  return (
    <DeliveryList
      title="My Deliveries"
      list={list}
      rows={rows}
      icon="box"
      what="Your deliveries come"
      empty={
        <Empty
          title="No deliveries yet"
          action={<ButtonLink to={paths.send}>Send a Package</ButtonLink>}
        >
          What you send is listed here.
        </Empty>
      }
    />
  )
}

function DeliveryList(props: {
  title: string
  list: ListState
  rows: readonly DeliveryRow[] | undefined
  icon: IconName
  /** Begins the sentence that says the list is not available offline. */
  what: string
  empty: ReactNode
}) {
  const { title, list, rows } = props
  return (
    <section className="grid gap-3" aria-label={title}>
      <h2>{title}</h2>
      <div className="grid items-start gap-4 md:grid-cols-2">
        {rows === undefined || (rows.length === 0 && list.is === 'unknown') ? (
          <Loading rows={1} />
        ) : rows.length > 0 ? (
          rows.map((row) => <DeliveryCard key={row.ID} row={row} />)
        ) : isUnavailable(list) ? (
          <ListUnavailable list={list} icon={props.icon} what={props.what} />
        ) : (
          props.empty
        )}
      </div>
    </section>
  )
}
