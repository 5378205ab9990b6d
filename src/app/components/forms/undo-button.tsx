import type { Entry } from '#store/entries/operations.ts'
import { attempt } from '../../browser/attempt.ts'
import { useSecondsLeft } from '../../hooks/time/use-seconds-left.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { Button } from './button.tsx'

/** The way back from an act before it is sent, with the seconds that are left (R99); nothing afterwards. */
export function UndoButton(props: {
  entry: Entry | undefined
  /** What is undone, for screen readers where there are several. */
  what?: string
  className?: string
  /** Called once it is undone. */
  onUndo?: () => void
}) {
  const { entry, what } = props
  const { commands } = useSoma()
  const left = useSecondsLeft(entry)
  if (!entry || left === 0) return null
  const undo = async () => {
    if (await attempt('Error', () => commands.discard(entry.id))) props.onUndo?.()
  }
  return (
    <Button look="edge" icon="back" className={props.className} data-key="u" onClick={undo}>
      Undo
      {what && <span className="sr-only">{what}</span>}
      <span aria-hidden="true" className="tabular-nums">
        ({left})
      </span>
    </Button>
  )
}
