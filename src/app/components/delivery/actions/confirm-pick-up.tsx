import type { DeliveryRow } from '#store/rows.ts'
import { attempt } from '../../../browser/attempt.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { senderOf, upperFirst } from '../../../texts/steps/step.ts'
import { Confirm } from '../../dialogs/confirm.tsx'

/** Outside the delivery's room: asks before its sender is told that the item was picked up (R25). */
export function ConfirmPickUp({ row, onClose }: { row: DeliveryRow; onClose: () => void }) {
  const { commands } = useSoma()
  const { ID, view } = row
  return (
    <Confirm
      title="Do you have the item?"
      yes="Mark as Picked Up"
      onYes={() => attempt('Error', () => commands.pickUpDelivery(ID), 'Failed to update status')}
      onClose={onClose}
    >
      {upperFirst(senderOf(row))} is told that you have picked up “{view.itemDescription}”.
    </Confirm>
  )
}
