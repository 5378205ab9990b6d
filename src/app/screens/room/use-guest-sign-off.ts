import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { times } from '#domain/product.ts'
import type { Room } from '#store/queries/room.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { paths } from '../../paths.ts'

/** `onDismiss`: of a guest who has approved and is asked for a rating. */
type SignOff = { isLeaving: boolean; onDismiss?: () => void }

/**
 * Ends the record of a guest who has approved, and whose approval the server has confirmed (R58): two seconds after the
 * rating was given or dismissed, with a redirect to Home, or when they leave the screen.
 */
export function useGuestSignOff(found: Room | null | undefined): SignOff {
  const { commands } = useSoma()
  const navigate = useNavigate()
  const [isDismissed, setDismissed] = useState(false)
  const leaving = useRef(false)
  const row = found?.row
  const isEnding =
    found?.isEnding === true && !row?.marks.some(({ op }) => op === 'approveDelivery')
  const isOver =
    isEnding && row?.marks.length === 0 && (isDismissed || row.view.ratings?.sender !== undefined)
  const id = row?.ID
  useEffect(() => {
    if (!isEnding || id === undefined) return
    return () => void commands.forgetGuestRecord(id)
  }, [isEnding, id, commands])
  useEffect(() => {
    if (!isOver) return
    leaving.current = true
    const timer = setTimeout(() => navigate(paths.home, { replace: true }), times.guestRedirect)
    return () => clearTimeout(timer)
  }, [isOver, navigate])
  return {
    isLeaving: leaving.current,
    onDismiss: isEnding && !isDismissed ? () => setDismissed(true) : undefined,
  }
}
