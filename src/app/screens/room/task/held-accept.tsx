import { useNavigate } from 'react-router-dom'
import type { Entry } from '#store/deliveries/operations.ts'
import { UndoButton } from '../../../components/forms/undo-button.tsx'
import { useSecondsLeft } from '../../../hooks/use-seconds-left.ts'
import { paths } from '../../../paths.ts'
import { MainAction } from './main-action.tsx'

/** The way back from an accepted job before it is requested (R99). */
export function UndoAccept({ entry }: { entry: Entry }) {
  const navigate = useNavigate()
  if (useSecondsLeft(entry) === 0) return null
  return (
    <MainAction>
      <UndoButton
        entry={entry}
        className="min-h-14 w-full text-lg"
        onUndone={() => navigate(paths.drive, { replace: true })}
      />
    </MainAction>
  )
}
