import type { ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import type { DeliveryRow } from '#store/rows.ts'
import { useHeldEntry } from '../../../components/delivery/actions/use-held-entry.ts'
import { UndoButton } from '../../../components/forms/undo-button.tsx'
import {
  MainAction,
  MainActionPlace,
  useMainActionPlace,
} from '../../../components/page/main-action.tsx'
import { paths } from '../../../paths.ts'

/**
 * For ten seconds the way back from what was just done is the main action (R99), in place of that of
 * `children`, which show the rest of themselves.
 */
export function UndoFirst({ row, children }: { row: DeliveryRow; children: ReactNode }) {
  const navigate = useNavigate()
  const place = useMainActionPlace()
  const entry = useHeldEntry(row)
  // A job that was not accepted after all is not this driver's to look at.
  const onUndone =
    entry?.op === 'acceptDelivery' ? () => navigate(paths.drive, { replace: true }) : undefined
  return (
    <>
      {entry && (
        <MainAction>
          <UndoButton entry={entry} className="min-h-14 w-full text-lg" onUndone={onUndone} />
        </MainAction>
      )}
      <MainActionPlace value={entry ? null : place}>{children}</MainActionPlace>
    </>
  )
}
