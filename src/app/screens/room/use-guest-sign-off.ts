import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { times } from '#domain/product.ts'
import { guestAccount } from '#store/database/engine-db.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { paths } from '../../paths.ts'

/**
 * Once a guest's approval has been acknowledged their record is cleared and they are sent home
 * two seconds later (spec §4). Returns whether that is under way.
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
