import { fullPrice } from '#domain/money.ts'
import { times } from '#domain/product.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { attempt } from '../../browser/attempt.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { Confirm } from '../dialogs/confirm.tsx'

/** Asks before the driver is paid (R26). */
export function ConfirmApprove({ row, onClose }: { row: DeliveryRow; onClose: () => void }) {
  const { commands } = useSoma()
  const { ID, view } = row
  return (
    <Confirm
      title="Approve and release payment?"
      yes="Approve and pay"
      onYes={() =>
        attempt(
          'Error',
          () => commands.approveDelivery(ID, { holdFor: times.undo }),
          'Failed to update status',
        )
      }
      onClose={onClose}
    >
      {fullPrice(view.offer)} goes to {view.driver?.name ?? 'the driver'}. You can undo this for ten
      seconds.
    </Confirm>
  )
}
