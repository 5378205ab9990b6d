import { useNavigate } from 'react-router-dom'
import type { Entry } from '#store/deliveries/operations.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Button } from '../../../components/forms/button.tsx'
import { useNow } from '../../../hooks/use-now.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { paths } from '../../../paths.ts'
import { MainAction } from './main-action.tsx'

/** Whole seconds in which an entry can still be undone (S60); 0 once it may leave. */
const secondsLeft = ({ held, state, attempts, nextAt }: Entry, now: number): number =>
  held && state === 'waiting' && attempts === 0 ? Math.max(0, Math.ceil((nextAt - now) / 1_000)) : 0

/** The way back from an accepted job before it is requested (R99). */
export function UndoAccept({ entry }: { entry: Entry }) {
  const { commands } = useSoma()
  const navigate = useNavigate()
  const left = secondsLeft(entry, useNow(500))
  if (left === 0) return null
  const undo = async () => {
    if (await attempt('Error', () => commands.discard(entry.id)))
      navigate(paths.drive, { replace: true })
  }
  return (
    <MainAction>
      <Button look="edge" icon="back" className="min-h-14 w-full text-lg" onClick={undo}>
        Undo
        <span aria-hidden="true" className="tabular-nums">
          ({left})
        </span>
      </Button>
    </MainAction>
  )
}
