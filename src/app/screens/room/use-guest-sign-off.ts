import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { times } from '#domain/product.ts'
import type { Room } from '#store/queries/room.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { paths } from '../../paths.ts'

/**
 * Two seconds after the server confirmed what a guest approved on this phone, and rated with it, forgets the guest's
 * record and redirects to Home (R58). Returns whether that is in progress.
 */
export function useGuestSignOff(found: Room | null | undefined): boolean {
  const { commands } = useSoma()
  const navigate = useNavigate()
  const leaving = useRef(false)
  const isOver = found?.isEnding === true && found.row.marks.length === 0
  const id = found?.row.ID
  useEffect(() => {
    if (!isOver || id === undefined) return
    leaving.current = true
    const timer = setTimeout(() => {
      void commands.forgetGuestRecord(id)
      // At once: whoever has left this screen meanwhile is not sent to Home.
      navigate(paths.home, { replace: true })
    }, times.guestRedirect)
    return () => clearTimeout(timer)
  }, [isOver, id, commands, navigate])
  return leaving.current
}
