import type { OfferedRoute } from '#store/deliveries/offered-route.ts'
import { Empty } from '../../components/text/empty.tsx'
import { ListUnavailable } from '../../components/text/list-unavailable.tsx'
import type { ListState } from '../../hooks/lists/use-list-state.ts'
import { TellMe } from './tell-me.tsx'

export const noneOnRoute = 'No jobs on your route right now. Try other zones, or all routes.'
const noneAtAll = 'No jobs on the platform right now. New ones appear here.'

/** What stands in place of an empty list. */
export function NoJobs({ route, list }: { route: OfferedRoute; list: ListState }) {
  if (list.is === 'failed' || list.is === 'unreachable')
    return <ListUnavailable list={list} icon="car" what="Jobs load" />
  return (
    <Empty icon="car" title="No deliveries found" action={<TellMe route={route} />}>
      {route.pickupZone === undefined ? noneAtAll : noneOnRoute}
    </Empty>
  )
}
