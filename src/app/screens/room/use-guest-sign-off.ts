import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { times } from '#domain/product.ts'
import type { Room } from '#store/queries/room.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { paths } from '../../paths.ts'

/**
 * Two seconds after the server confirmed what a guest approved on this phone, and rated with it, forgets the guest's
 * record and redirects to Home (R58); at once where another tab has forgotten it. `id`: as the address names the delivery.
 * `isReading`: the guest reads the receipt, and leaves after it (R185). Returns whether that is in progress.
 */
export function useGuestSignOff(
  id: string,
  found: Room | null | undefined,
  isReading: boolean,
): boolean {
  const { commands } = useSoma()
  const navigate = useNavigate()
  const leaving = useRef<string>(undefined)
  const isOver = found?.isEnding === true && found.row.marks.length === 0
  const record = found?.row.ID
  useEffect(() => {
    if (!isOver || record === undefined || isReading) return
    leaving.current = id
    const timer = setTimeout(() => {
      void commands.forgetGuestRecord(record)
      // At once: whoever has left this screen meanwhile is not sent to Home.
      navigate(paths.home, { replace: true })
    }, times.guestRedirect)
    return () => clearTimeout(timer)
  }, [isOver, id, record, isReading, commands, navigate])
  const isLeaving = leaving.current === id
  const isForgotten = isLeaving && found === null
  useEffect(() => {
    if (isForgotten) navigate(paths.home, { replace: true })
  }, [isForgotten, navigate])
  return isLeaving
}
