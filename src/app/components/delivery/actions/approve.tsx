import { fullPrice } from '#domain/money.ts'
import { times } from '#domain/product.ts'
import { unsentReports } from '#store/queries/reports.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { attempt } from '../../../browser/attempt.ts'
import { useLive } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { Confirm } from '../../dialogs/confirm.tsx'

/** Asks before the driver is paid (R26); a report that is not sent yet would stand in the way (R108). */
export function ConfirmApprove({ row, onClose }: { row: DeliveryRow; onClose: () => void }) {
  const { commands } = useSoma()
  const { account, ID, view } = row
  const reports = useLive(unsentReports, account, ID)
  if (!reports) return null
  const isReported = reports.length > 0
  return (
    <Confirm
      title={isReported ? 'Approve despite your report?' : 'Approve and release payment?'}
      yes={isReported ? 'Approve anyway' : 'Approve and pay'}
      onYes={() =>
        attempt(
          'Error',
          () => commands.approveDelivery(ID, { holdFor: times.undo }),
          'Failed to update status',
        )
      }
      onClose={onClose}
    >
      {isReported
        ? `You reported a problem that has not been sent yet. It is sent first, and support then decides about ${fullPrice(view.offer)}. To pay now, cancel the report in the Outbox.`
        : `${fullPrice(view.offer)} goes to ${view.driver?.name ?? 'the driver'}. You can undo this for ten seconds.`}
    </Confirm>
  )
}
