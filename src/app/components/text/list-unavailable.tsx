import type { ListState } from '../../hooks/use-list-state.ts'
import { Empty } from '../text/empty.tsx'
import type { IconName } from './icon.tsx'

/** Stands where a list would be that this device never had and cannot have now: says which it is. */
export function ListUnavailable({
  list,
  icon,
  what,
}: {
  list: ListState
  icon: IconName
  what: string
}) {
  if (list.is === 'unreachable')
    return (
      <Empty icon={icon} title="Not kept on this device">
        {what} with the network.
      </Empty>
    )
  return (
    <Empty icon="alert" title="Not to be had right now">
      The service has a problem. It is asked again by itself.
    </Empty>
  )
}
