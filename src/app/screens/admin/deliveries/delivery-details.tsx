import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { can } from '#domain/deliveries/permissions.ts'
import { fullPrice } from '#domain/money.ts'
import type { Contact } from '#domain/users/user.ts'
import { deliveryRow } from '#store/queries/deliveries.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { attempt } from '../../../browser/attempt.ts'
import { HostedPhoto } from '../../../components/delivery/photo.tsx'
import { refusedOperation, StatusTag } from '../../../components/delivery/status.tsx'
import { Confirm } from '../../../components/dialogs/confirm.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Button } from '../../../components/forms/button.tsx'
import { Facts } from '../../../components/text/facts.tsx'
import { useLive, useWatch } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { useVisitor } from '../../../hooks/use-visitor.ts'
import { longDate } from '../../../texts/time.ts'
import { userPath } from '../links.ts'

const known = (value: string | undefined) => (value ? value : 'N/A')

/** One delivery's details, and the admin's button to cancel it (R27). */
export function DeliveryDetails({ id, onClose }: { id: string; onClose: () => void }) {
  useWatch({ kind: 'delivery', id })
  const row = useLive((db) => deliveryRow(db, id), [id])
  const { user } = useVisitor()
  const [asking, setAsking] = useState(false)
  if (!row) return null
  const { view } = row
  const refused = refusedOperation(row)
  return (
    <>
      <Dialog title={view.itemDescription} onClose={onClose}>
        <Facts of={factsOf(row)} />
        <Photos view={view} />
        {refused?.error && (
          <p className="text-sm font-semibold text-red">{refused.error.message}</p>
        )}
        {can(user && { user }, 'cancelDelivery', view) && (
          <Button look="red" onClick={() => setAsking(true)}>
            Cancel delivery
          </Button>
        )}
      </Dialog>
      {asking && (
        <ConfirmCancel id={id} item={view.itemDescription} onClose={() => setAsking(false)} />
      )}
    </>
  )
}

const factsOf = (row: DeliveryRow): [string, ReactNode][] => {
  const { view } = row
  const { sender, driver } = view
  return [
    [
      'ID',
      <span key="id" className="font-mono text-sm">
        {view.ID}
      </span>,
    ],
    ['Delivery code', known(view.deliveryCode)],
    ['Price', fullPrice(view.offer)],
    ['Status', <StatusTag key="status" row={row} />],
    ['Sender', <ContactLink key="sender" name={sender?.name ?? view.senderName} side={sender} />],
    [
      'Driver',
      driver ? <ContactLink key="driver" name={driver.name} side={driver} /> : 'Unassigned',
    ],
    ['Pickup zone', view.pickupZone],
    ['Drop-off zone', view.dropoffZone],
    ['Recipient', `${known(view.recipientName)}, ${known(view.recipientPhone)}`],
    ['Created', longDate(view.createdAt)],
    ['Last updated', longDate(view.updatedAt)],
  ]
}

function ConfirmCancel({ id, item, onClose }: { id: string; item: string; onClose: () => void }) {
  const { commands } = useSoma()
  const cancel = () =>
    attempt('Error', () => commands.cancelDelivery(id), 'Failed to update status')
  return (
    <Confirm
      title="Cancel this delivery?"
      yes="Cancel delivery"
      no="Keep it"
      look="red"
      onYes={cancel}
      onClose={onClose}
    >
      {item} is taken off the road for both sides, and the money goes back to the sender. This
      cannot be undone.
    </Confirm>
  )
}

/** Name and e-mail of a sender or driver, with a link to their page. */
function ContactLink({ name, side }: { name: string | undefined; side: Contact | undefined }) {
  return (
    <>
      {side ? (
        <Link to={userPath(side.id)} className="text-green underline underline-offset-4">
          {known(name)}
        </Link>
      ) : (
        known(name)
      )}
      , {known(side?.email)}
    </>
  )
}

export function Photos({ view }: { view: Delivery }): ReactNode {
  return (
    <>
      {view.itemPhoto && <HostedPhoto src={view.itemPhoto} alt={view.itemDescription} />}
      {view.proofOfDelivery && (
        <>
          <h3 className="font-bold">Proof of delivery</h3>
          <HostedPhoto src={view.proofOfDelivery} alt="Proof of delivery" />
        </>
      )}
    </>
  )
}
