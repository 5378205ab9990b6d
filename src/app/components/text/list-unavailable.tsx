import type { ListState } from '../../hooks/lists/use-list-state.ts'
import { Empty } from '../text/empty.tsx'
import type { IconName } from './icon.tsx'

/** An empty state for a list that was never loaded on this device and cannot be loaded now. */
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
      <Empty icon={icon} title="Not available offline">
        {what} when you're back online.
      </Empty>
    )
  return (
    <Empty icon="alert" title="Temporarily unavailable">
      We have a problem on our side and keep trying.
    </Empty>
  )
}
