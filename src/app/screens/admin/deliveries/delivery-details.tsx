import { type ReactNode, useState } from 'react'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { priceText } from '#domain/deliveries/payment.ts'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { fullPrice } from '#domain/money.ts'
import type { Contact } from '#domain/users/user.ts'
import { can } from '#operations/rules.ts'
import { deliveryRow } from '#store/queries/deliveries.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { ItemNote } from '../../../components/delivery/item-note.tsx'
import { RouteLine } from '../../../components/delivery/route-line.tsx'
import { refusedOperation, StatusTag } from '../../../components/delivery/status.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Button } from '../../../components/forms/button.tsx'
import { Link } from '../../../components/forms/link.tsx'
import { HostedPhoto } from '../../../components/photo/photo.tsx'
import { Facts } from '../../../components/text/facts.tsx'
import { Verbatim } from '../../../components/text/verbatim.tsx'
import { useLive, useWatch } from '../../../hooks/use-live.ts'
import { useVisitor } from '../../../hooks/use-visitor.ts'
import { longDate } from '../../../texts/time.ts'
import { StopList, stopsOf } from '../../room/parties/places.tsx'
import { userPath } from '../links.ts'
import { SidePanel } from '../list/side-panel.tsx'
import { CancelDelivery } from './cancel-delivery.tsx'
import { Steps } from './history-and-contacts.tsx'
import { Incidents } from './incident-list.tsx'

const known = (value: string | undefined) => (value ? value : 'N/A')

type Props = {
  id: string
  onClose: () => void
  /** On a wide screen: beside the list, not over it. */
  isBeside?: true
}

/** One delivery's details, timeline and people, and the admin's button to cancel it (R27). */
export function DeliveryDetails({ id, onClose, isBeside }: Props) {
  useWatch({ kind: 'delivery', id })
  const row = useLive(deliveryRow, id)
  const { user } = useVisitor()
  const [asking, setAsking] = useState(false)
  if (!row) return null
  const { view } = row
  const refused = refusedOperation(row)
  const Frame = isBeside ? SidePanel : Dialog
  return (
    <>
      <Frame title={view.itemDescription} onClose={onClose}>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <StatusTag row={row} />
          <strong className="text-xl tabular-nums">{priceText(view, fullPrice)}</strong>
        </div>
        {view.itemPhoto && <HostedPhoto src={view.itemPhoto} alt={view.itemDescription} />}
        <ItemNote of={view} />
        <Facts of={factsOf(row)} isTwoColumns />
        <Places view={view} />
        <section className="grid gap-3" aria-label="Timeline">
          <h3 className="font-bold">Timeline</h3>
          <Steps view={view} />
        </section>
        {view.incidents && (
          <section className="grid gap-3" aria-label="On the way">
            <h3 className="font-bold">On the way</h3>
            <Incidents of={view.incidents} />
          </section>
        )}
        <Proof view={view} />
        {refused?.error && (
          <p className="text-sm font-semibold text-red">{refused.error.message}</p>
        )}
        {can(user && { user }, 'cancelDelivery', view) && (
          <Button look="red" onClick={() => setAsking(true)}>
            Cancel delivery
          </Button>
        )}
      </Frame>
      {asking && <CancelDelivery view={view} onClose={() => setAsking(false)} />}
    </>
  )
}

const factsOf = ({ view }: DeliveryRow): [string, ReactNode][] => {
  const { sender, driver } = view
  return [
    [
      'ID',
      <Verbatim key="id" title={view.ID}>
        {referenceOf(view.ID)}
      </Verbatim>,
    ],
    ['Delivery code', <Verbatim key="code">{known(view.deliveryCode)}</Verbatim>],
    ['Route', <RouteLine key="route" from={view.pickupZone} to={view.dropoffZone} />],
    ['Sender', <ContactLink key="sender" name={sender?.name ?? view.senderName} side={sender} />],
    [
      'Driver',
      driver ? <ContactLink key="driver" name={driver.name} side={driver} /> : 'Unassigned',
    ],
    [
      'Recipient',
      <Verbatim key="recipient">{`${known(view.recipientName)}, ${known(view.recipientPhone)}`}</Verbatim>,
    ],
    ...(view.payment ? [paymentFact(view.payment)] : []),
    ['Created', longDate(view.createdAt)],
    ['Last updated', longDate(view.updatedAt)],
  ]
}

/** What the payment provider says, to the admin too (R173). */
const paymentFact = ({
  status,
  message,
}: NonNullable<Delivery['payment']>): [string, ReactNode] => [
  'Payment',
  [paymentNames[status] ?? status, message].filter(Boolean).join(': '),
]

const paymentNames: Record<string, string> = {
  waiting: 'Waiting for approval of the prompt',
  failed: 'Failed',
  held: 'Held',
  released: 'Released to the driver',
  refunded: 'Refunded',
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

function Places({ view }: { view: Delivery }): ReactNode {
  const stops = stopsOf(view)
  if (stops.length === 0) return null
  return (
    <section className="grid gap-3" aria-label="Find the door">
      <h3 className="font-bold">Find the door</h3>
      <StopList stops={stops} heading="h4" />
    </section>
  )
}

function Proof({ view: { proofOfDelivery } }: { view: Delivery }): ReactNode {
  if (!proofOfDelivery) return null
  return (
    <section className="grid gap-3" aria-label="Proof of delivery">
      <h3 className="font-bold">Proof of delivery</h3>
      <HostedPhoto src={proofOfDelivery} alt="Proof of delivery" />
    </section>
  )
}
