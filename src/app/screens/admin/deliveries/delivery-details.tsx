import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Delivery } from '#domain/delivery.ts'
import { fullPrice } from '#domain/money.ts'
import { can } from '#domain/permissions.ts'
import type { Contact } from '#domain/user.ts'
import { room } from '#store/queries/queries.ts'
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

/** All that is known of one delivery, and an admin's way to end it (spec §2, Deliveries). */
export function DeliveryDetails({ id, onClose }: { id: string; onClose: () => void }) {
  useWatch({ kind: 'delivery', id })
  const row = useLive((db) => room(db, id), [id])
  const { user } = useVisitor()
  const [asking, setAsking] = useState(false)
  const { commands } = useSoma()
  if (!row) return null
  const { view } = row
  const refused = refusedOperation(row)
  return (
    <>
      <Dialog title={view.itemDescription} onClose={onClose}>
        <Facts
          of={[
            [
              'ID',
              <span key="id" className="font-mono text-sm">
                {view.ID}
              </span>,
            ],
            ['Delivery code', known(view.deliveryCode)],
            ['Price', fullPrice(view.offer)],
            ['Status', <StatusTag key="status" row={row} />],
            [
              'Sender',
              <ContactLink
                key="sender"
                name={view.sender?.name ?? view.senderName}
                side={view.sender}
              />,
            ],
            [
              'Driver',
              view.driver ? (
                <ContactLink key="driver" name={view.driver.name} side={view.driver} />
              ) : (
                'Unassigned'
              ),
            ],
            ['Pickup zone', view.pickupZone],
            ['Drop-off zone', view.dropoffZone],
            ['Recipient', `${known(view.recipientName)}, ${known(view.recipientPhone)}`],
            ['Created', longDate(view.createdAt)],
            ['Last updated', longDate(view.updatedAt)],
          ]}
        />
        <Photos view={view} />
        {refused?.error && (
          <p className="text-sm font-semibold text-clay">{refused.error.message}</p>
        )}
        {can(user && { user }, 'cancelDelivery', view) && (
          <Button look="clay" onClick={() => setAsking(true)}>
            Cancel delivery
          </Button>
        )}
      </Dialog>
      {asking && (
        <Confirm
          title="Cancel this delivery?"
          yes="Cancel delivery"
          no="Keep it"
          look="clay"
          onYes={() =>
            attempt('Error', () => commands.cancelDelivery(id), 'Failed to update status')
          }
          onClose={() => setAsking(false)}
        >
          {view.itemDescription} is taken off the road for both sides, and the money goes back to
          the sender. This cannot be undone.
        </Confirm>
      )}
    </>
  )
}

/** Name and e-mail of one side, with the way to all that is known of them. */
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
