import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { times } from '#domain/product.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { paths } from '../../paths.ts'

/**
 * Two seconds after the server confirmed a guest's approval, forgets the guest's record and redirects to
 * Home (R58). Returns whether that is in progress.
 */
export function useGuestSignOff(row: DeliveryRow | null | undefined): boolean {
  const { commands } = useSoma()
  const navigate = useNavigate()
  const leaving = useRef(false)
  const over =
    row?.account === guestAccount && row.view.status === 'Approved' && row.marks.length === 0
  const id = row?.ID
  useEffect(() => {
    if (!over || id === undefined) return
    leaving.current = true
    const timer = setTimeout(async () => {
      await commands.forgetGuestRecord(id)
      navigate(paths.home, { replace: true })
    }, times.guestRedirect)
    return () => clearTimeout(timer)
  }, [over, id, commands, navigate])
  return leaving.current
}
