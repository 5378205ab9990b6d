import { Suspense, useState } from 'react'
import { adminTrends } from '#store/queries/admin/admin.ts'
import { Button } from '../../../components/forms/button.tsx'
import { lazyPart } from '../../../components/page/lazy-part.tsx'
import { Skeleton } from '../../../components/page/skeleton.tsx'
import { Empty } from '../../../components/text/empty.tsx'
import { ListUnavailable } from '../../../components/text/list-unavailable.tsx'
import { isUnavailable, useListState } from '../../../hooks/lists/use-list-state.ts'
import { useOwn } from '../../../hooks/use-live.ts'
import { TrendsTable } from './trends-table.tsx'

/** The plots' code is loaded when they are first shown; the worker does not precache it. */
const Plots = lazyPart(() => import('./admin-plots.tsx'), PlotsUnavailable)

/** The last thirty days as plots or as a table. */
export function Trends() {
  const list = useListState({ kind: 'adminTrends' }, 'Failed to load data')
  const trends = useOwn(adminTrends)
  const [asTable, setAsTable] = useState(false)
  return (
    <section className="grid gap-3" aria-label="The last 30 days">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2>The last 30 days</h2>
        <Button look="line" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          Show as table
        </Button>
      </div>
      {trends ? (
        asTable ? (
          <TrendsTable days={trends.days} />
        ) : (
          <Suspense fallback={<Waiting />}>
            <Plots days={trends.days} />
          </Suspense>
        )
      ) : isUnavailable(list) ? (
        <ListUnavailable list={list} icon="clock" what="The charts come" />
      ) : (
        <Waiting />
      )}
    </section>
  )
}

function PlotsUnavailable() {
  return (
    <Empty icon="clock" title="Not available offline">
      The charts come when you're back online.
    </Empty>
  )
}

function Waiting() {
  return (
    <div className="grid gap-4 xl:grid-cols-3" role="status">
      <span className="sr-only">Loading charts</span>
      {['status', 'revenue', 'time'].map((name) => (
        <Skeleton key={name} className="h-[21rem] rounded-card xl:h-[24.8rem]" />
      ))}
    </div>
  )
}
