import type { Delivery } from '#domain/deliveries/delivery.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { detourText, useMatcher, useOwnWay } from '../../hooks/way/use-detour.ts'
import { Tag } from '../text/tag.tsx'

/** Tells a driver that a job, on offer or under way, is on their way, and how far they go for it (R164). */
export function OnYourWay({ of: job }: { of: Delivery }) {
  const { visitor, user } = useVisitor()
  const detour = useMatcher(useOwnWay())(job)
  const isUnderWay = ['Pending', 'Accepted', 'Picked Up'].includes(job.status)
  const isTheirs = job.sender !== undefined && job.sender.id === user?.ID
  if (visitor !== 'approvedDriver' || isTheirs || !isUnderWay || detour === undefined) return null
  return <Tag>On your way · {detourText(detour)}</Tag>
}
