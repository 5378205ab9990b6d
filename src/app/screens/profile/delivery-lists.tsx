import type { ReactNode } from 'react'
import type { ListRef } from '#store/database/lists.ts'
import { jobs, sent } from '#store/queries/lists.ts'
import { DeliveryCard } from '../../components/delivery/delivery-card.tsx'
import { ButtonLink } from '../../components/forms/button.tsx'
import { ListEnd } from '../../components/page/list-end.tsx'
import { Loading } from '../../components/page/skeleton.tsx'
import { UnreadableRows } from '../../components/page/update-notice.tsx'
import { Empty } from '../../components/text/empty.tsx'
import type { IconName } from '../../components/text/icon.tsx'
import { ListUnavailable } from '../../components/text/list-unavailable.tsx'
import { isUnavailable, type ListState, useListState } from '../../hooks/use-list-state.ts'
import { useOlderRows } from '../../hooks/use-older-rows.ts'
import { paths } from '../../paths.ts'

/** The deliveries that a driver accepted. */
export function Jobs() {
  const list = useListState({ kind: 'jobs' }, 'Failed to load your deliveries')
  const growing = useOlderRows({ kind: 'jobs' }, jobs)
  return (
    <DeliveryList
      title="My Jobs"
      of={{ kind: 'jobs' }}
      list={list}
      growing={growing}
      icon="car"
      what="Your jobs come"
      older="jobs"
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
  const growing = useOlderRows({ kind: 'sent' }, sent)
  if (optional && growing.rows?.length === 0 && growing.older === 'none') return null
  return (
    <DeliveryList
      title="My Deliveries"
      of={{ kind: 'sent' }}
      list={list}
      growing={growing}
      icon="box"
      what="Your deliveries come"
      older="deliveries"
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

/** A list that was not scrolled needs nobody to say where it ends. */
const endOf = (count: number) => (count > 60 ? "That's all of them." : undefined)

function DeliveryList(props: {
  title: string
  of: ListRef
  list: ListState
  growing: ReturnType<typeof useOlderRows>
  icon: IconName
  /** What the rows are, in the plural. */
  older: string
  /** Begins the sentence that says the list is not available offline. */
  what: string
  empty: ReactNode
}) {
  const { title, list, growing } = props
  const { rows, older, more } = growing
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
        ) : older === 'none' ? (
          props.empty
        ) : undefined}
      </div>
      <UnreadableRows list={props.of} what={['delivery', 'deliveries']} />
      {rows && <ListEnd older={older} more={more} what={props.older} end={endOf(rows.length)} />}
    </section>
  )
}
