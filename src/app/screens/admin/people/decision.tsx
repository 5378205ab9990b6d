import { useState } from 'react'
import { maxReason } from '#domain/deliveries/draft.ts'
import { times } from '#domain/product.ts'
import { allowedDecisions } from '#domain/users/driver.ts'
import { type Application, adminUser } from '#store/queries/admin/admin.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Confirm } from '../../../components/dialogs/confirm.tsx'
import { Button } from '../../../components/forms/button.tsx'
import { ReasonField, useReason } from '../../../components/forms/reasons/reason-field.tsx'
import { UndoButton } from '../../../components/forms/undo-button.tsx'
import { useSecondsLeft } from '../../../hooks/time/use-seconds-left.ts'
import { useOwn, useWatch } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { useIsSupport } from '../../../hooks/use-visitor.ts'

type Decision = 'approved' | 'rejected'

/** Decides on a driver (R4); it can be undone, unless a dialog has asked (R99). Resolves to whether it was saved. */
export function useDecide() {
  const { commands } = useSoma()
  return async (
    id: string,
    decision: Decision,
    how: { holdFor?: number; reason?: string } = { holdFor: times.undo },
  ) =>
    Boolean(
      await attempt(
        'Error',
        () => commands.reviewDriver(id, decision, how),
        'Failed to update driver status',
      ),
    )
}

/** The decisions open to an admin, or the one that waits on this device. */
export function Decisions({ driver }: { driver: Application }) {
  const decide = useDecide()
  const [isRejecting, setRejecting] = useState(false)
  const isSupport = useIsSupport()
  if (driver.deciding) return <Decided driver={driver} />
  if (isSupport) return null
  return (
    <div className="flex flex-wrap gap-2">
      {allowedDecisions(driver.Status).map((decision) => (
        <Button
          key={decision}
          look={decision === 'approved' ? 'green' : 'line'}
          className="flex-1"
          onClick={() =>
            decision === 'approved' ? void decide(driver.ID, decision) : setRejecting(true)
          }
        >
          {decision === 'approved' ? 'Approve' : 'Reject'}
        </Button>
      ))}
      {isRejecting && <RejectDialog driver={driver} onClose={() => setRejecting(false)} />}
    </div>
  )
}

/** A decision that is saved here: first it can be undone, then it waits for the server. */
export function Decided({ driver, onUndo }: { driver: Application; onUndo?: () => void }) {
  const left = useSecondsLeft(driver.decision)
  const word = driver.deciding === 'approved' ? 'Approved' : 'Rejected'
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p className="font-semibold" role="status">
        {left > 0 ? word : `${word} · not confirmed yet`}
      </p>
      <UndoButton entry={driver.decision} what={` for ${driver.User.Name}`} onUndo={onUndo} />
    </div>
  )
}

const rejectReasons = [
  'The photo of the ID cannot be read',
  'The ID number and the photo differ',
  'The ID has expired',
] as const

/** Asks why, which the driver reads (R200), and names the job that they would lose. */
export function RejectDialog(props: {
  driver: Application
  onRejected?: () => void
  onClose: () => void
}) {
  const { driver, onClose } = props
  const { ID, User } = driver
  useWatch({ kind: 'adminUser', id: ID })
  const details = useOwn(adminUser, ID)
  const decide = useDecide()
  const why = useReason(`reject:${driver.ID}`)
  const reject = async () => {
    if (!(await decide(ID, 'rejected', { reason: why.reason }))) return
    why.clear()
    props.onRejected?.()
  }
  const carried = details?.deliveries?.find(
    ({ view }) =>
      view.driver?.id === ID && (view.status === 'Accepted' || view.status === 'Picked Up'),
  )?.view
  return (
    <Confirm
      title={`Reject ${User.Name}?`}
      yes="Reject driver"
      no={driver.Status === 'approved' ? 'Keep as driver' : undefined}
      look="red"
      isReady={why.reason !== ''}
      onYes={reject}
      onClose={onClose}
    >
      <div className="grid gap-3">
        {carried ? (
          <p>
            {User.Name} {carried.status === 'Accepted' ? 'is on the way to pick up' : 'is carrying'}{' '}
            <strong className="text-ink">{carried.itemDescription}</strong>, {carried.pickupZone} to{' '}
            {carried.dropoffZone}.{' '}
            {carried.status === 'Accepted'
              ? 'It goes back to the open jobs.'
              : 'A dispute opens for it. Call the driver and the sender first.'}
          </p>
        ) : (
          driver.Status === 'approved' && (
            <p>{User.Name} can no longer accept jobs. You can approve them again later.</p>
          )
        )}
        <ReasonField
          of={why}
          legend="Why?"
          reasons={rejectReasons}
          hint="The driver reads this, and may apply again."
          maxLength={maxReason}
        />
      </div>
    </Confirm>
  )
}
