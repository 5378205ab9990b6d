import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import type { DeliveryRow } from '#store/rows.ts'
import { pendingOperation } from '../../../components/delivery/status.tsx'
import { paths } from '../../../paths.ts'

export const isGivingBack = (row: DeliveryRow): boolean =>
  pendingOperation(row)?.op === 'releaseJob'

/** Leaves for Drive once the server has taken the job back (R101). */
export function useLeaveGivenBack(row: DeliveryRow): void {
  const navigate = useNavigate()
  const was = useRef(false)
  const isGiving = isGivingBack(row)
  const isOnOffer = row.view.status === 'Pending' && row.marks.length === 0
  useEffect(() => {
    if (was.current && !isGiving && isOnOffer) navigate(paths.drive, { replace: true })
    was.current = isGiving
  }, [isGiving, isOnOffer, navigate])
}
