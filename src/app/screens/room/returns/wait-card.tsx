import { returnableAt } from '#domain/deliveries/endings/returns.ts'
import { times } from '#domain/product.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Button } from '../../../components/forms/button.tsx'
import { useNow } from '../../../hooks/time/use-now.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { recipientOf, senderOf } from '../../../texts/steps/step.ts'
import { countdown, dueTime } from '../../../texts/time.ts'

type Props = { row: DeliveryRow; onReport: () => void }

/** After a failed attempt: another one, or the return once its wait is over (R103). */
export function WaitCard({ row, onReport }: Props) {
  const { commands } = useSoma()
  const from = returnableAt(row.view)
  if (from === undefined) return null
  const attempts = row.view.attempts ?? 1
  const start = () => commands.startReturn(row.ID, undefined, { holdFor: times.undo })
  return (
    <section
      aria-label="After the attempt"
      className="grid gap-3 rounded-control bg-gold-wash p-3.5"
    >
      <div className="grid gap-1">
        <h3 className="flex flex-wrap justify-between gap-x-2 font-bold">
          Try again, or return it
          {attempts > 1 && <span className="text-sm font-semibold">{attempts} attempts</span>}
        </h3>
        <p className="text-sm">
          Call {recipientOf(row)} and enter the code, or bring the parcel back to {senderOf(row)}{' '}
          from {dueTime(from)}.
        </p>
      </div>
      <div className="flex flex-wrap gap-2 *:min-w-[min(100%,9rem)] *:flex-1">
        <Button look="edge" tight onClick={onReport}>
          Failed again
        </Button>
        <ReturnButton
          from={from}
          onPress={() => attempt('Error', start, 'Failed to update status')}
        />
      </div>
    </section>
  )
}

/** Counts down for the eye alone: from when on is said above. Its place stays, so that nothing moves. */
function ReturnButton({ from, onPress }: { from: number; onPress: () => unknown }) {
  const left = from - useNow(500)
  return (
    <Button look="edge" tight disabled={left > 0} onClick={onPress}>
      Return the parcel
      <span aria-hidden="true" className="min-w-[5ch] text-right tabular-nums empty:hidden">
        {left > 0 ? countdown(left) : ''}
      </span>
    </Button>
  )
}
