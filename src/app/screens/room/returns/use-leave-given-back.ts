import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import type { DeliveryRow } from '#store/rows.ts'
import { pendingOperation } from '../../../components/delivery/status.tsx'
import { paths } from '../../../paths.ts'

export const isGivingBack = (row: DeliveryRow): boolean =>
  pendingOperation(row)?.op === 'releaseJob'

/**
 * Leaves for Drive once the server has taken the job back (R101). Belongs to the screen: the row can be gone for a moment
 * in between, when the driver's list comes without it and it comes again as a job on offer.
 */
export function useLeaveGivenBack(row: DeliveryRow | null | undefined): void {
  const navigate = useNavigate()
  const given = useRef<string>(undefined)
  const isGiving = row ? isGivingBack(row) : false
  const isOnOffer = row?.view.status === 'Pending' && row.marks.length === 0
  const id = row?.ID
  useEffect(() => {
    if (isGiving) given.current = id
    else if (isOnOffer && given.current === id) navigate(paths.drive, { replace: true })
  }, [isGiving, isOnOffer, id, navigate])
}
