import { useState } from 'react'
import type { Way } from '#domain/zones/on-the-way.ts'
import { isWay, type Offered, offersRef } from '#store/deliveries/offered-route.ts'
import { availableElsewhere } from '#store/queries/lists.ts'
import { Empty } from '../../components/text/empty.tsx'
import { ListUnavailable } from '../../components/text/list-unavailable.tsx'
import type { ListState } from '../../hooks/lists/use-list-state.ts'
import { useSteadyList } from '../../hooks/lists/use-steady-list.ts'
import { useOwn, useWatch } from '../../hooks/use-live.ts'
import { useMatcher } from '../../hooks/way/use-detour.ts'
import { JobRow } from './job-row.tsx'
import { JobSheet } from './job-sheet.tsx'
import { TellMe } from './tell-me.tsx'

export const noneOnRoute = 'No jobs on your route right now. Try other zones, or all jobs.'
const noneAtAll = 'No jobs on the platform right now. New ones appear here.'

type Props = {
  offered: Offered
  list: ListState
  canAccept: boolean
  hasJob: boolean
}

/** What stands in place of an empty list. */
export function NoJobs({ offered, list, ...rows }: Props) {
  if (list.is === 'failed' || list.is === 'unreachable')
    return <ListUnavailable list={list} icon="car" what="Jobs load" />
  if (!isWay(offered))
    return (
      <Empty icon="car" title="No deliveries found" action={<TellMe offered={offered} />}>
        {noneAtAll}
      </Empty>
    )
  return (
    <>
      <Empty icon="car" title="No deliveries found" action={<TellMe offered={offered} />}>
        {noneOnRoute}
      </Empty>
      <JobsElsewhere way={offered} {...rows} />
    </>
  )
}

/** How many jobs there are elsewhere, and the nearest three with their detours. */
function JobsElsewhere({ way, canAccept, hasJob }: Omit<Props, 'offered' | 'list'> & { way: Way }) {
  useWatch(offersRef({}))
  const found = useOwn(availableElsewhere, way)
  const nearest = found?.nearest.map(({ row }) => row)
  const { shown = [] } = useSteadyList(
    JSON.stringify(offersRef(way)),
    nearest,
    found?.isLoaded ?? false,
  )
  const detourOf = useMatcher({ ...way, detour: Number.POSITIVE_INFINITY })
  const [opened, setOpened] = useState<string>()
  if (!found || (found.count === 0 && shown.length === 0)) return null
  const { count } = found
  const current = shown.find(({ row }) => row.ID === opened)
  return (
    <section className="grid gap-2" aria-label="Jobs elsewhere">
      <p className="text-sm text-soft">
        {count} {count === 1 ? 'job' : 'jobs'} elsewhere
        {shown.length > 0 && '. The nearest to your way:'}
      </p>
      {shown.map((job) => (
        <JobRow
          key={job.row.ID}
          job={job}
          canAccept={canAccept}
          detour={detourOf(job.row.view)}
          isElsewhere
          onOpen={setOpened}
        />
      ))}
      {current && (
        <JobSheet
          {...current}
          way={way}
          detour={detourOf(current.row.view)}
          isElsewhere
          hasJob={hasJob}
          onClose={() => setOpened(undefined)}
        />
      )}
    </section>
  )
}
