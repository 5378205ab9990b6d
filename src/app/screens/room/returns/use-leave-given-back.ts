import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { isDriverOf } from '#domain/deliveries/delivery.ts'
import type { Room } from '#store/queries/room.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { pendingOperation } from '../../../components/delivery/status.tsx'
import { paths } from '../../../paths.ts'

export const isGivingBack = (row: DeliveryRow): boolean =>
  pendingOperation(row)?.op === 'releaseJob'

/**
 * Leaves for Drive once the server has taken the driver's job back (R101). Compares what the server said of the row: a
 * quick response comes before the pending operation was ever drawn. Belongs to the screen: the row can be gone for a
 * moment in between, when the driver's list comes without it and it comes again as a job on offer.
 */
export function useLeaveGivenBack(found: Room | null | undefined): void {
  const navigate = useNavigate()
  const job = useRef<string>(undefined)
  const row = found?.row
  const isJob = found ? isAcceptedJob(found) : false
  const isOnOffer = row?.view.status === 'Pending' && row.marks.length === 0
  const id = row?.ID
  useEffect(() => {
    if (isJob) job.current = id
    else if (isOnOffer && job.current === id) navigate(paths.drive, { replace: true })
  }, [isJob, isOnOffer, id, navigate])
}

/** Whether it is this driver's job as the server has it, whatever is pending. */
function isAcceptedJob({ row, who }: Room): boolean {
  const delivery = row.server ?? row.view
  const isDriver = who !== undefined && 'user' in who && isDriverOf(delivery, who.user)
  return isDriver && delivery.status === 'Accepted'
}
