import type { ReactNode } from 'react'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { priceText } from '#domain/deliveries/payment.ts'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { fullPrice } from '#domain/money.ts'
import { deliveryRow } from '#store/queries/deliveries.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { ItemNote } from '../../../components/delivery/item-note.tsx'
import { RouteLine } from '../../../components/delivery/route-line.tsx'
import { refusedOperation, StatusTag } from '../../../components/delivery/status.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { HostedPhoto } from '../../../components/photo/photo.tsx'
import { Facts } from '../../../components/text/facts.tsx'
import { Verbatim } from '../../../components/text/verbatim.tsx'
import { useLive, useWatch } from '../../../hooks/use-live.ts'
import { longDate } from '../../../texts/time.ts'
import { StopList, stopsOf } from '../../room/parties/places.tsx'
import { SidePanel } from '../list/side-panel.tsx'
import { payoutName } from '../money/money-texts.ts'
import { OfficeActions } from './actions/office-actions.tsx'
import { DisputesAbout, RatingsOf } from './disputes-and-ratings.tsx'
import { People, Steps } from './history-and-contacts.tsx'
import { Incidents } from './incident-list.tsx'

const known = (value: string | undefined) => (value ? value : 'N/A')

type Props = {
  id: string
  onClose: () => void
  /** On a wide screen: beside the list, not over it. */
  isBeside?: true
}

/** Everything about one delivery, and what the office can do with it (R27, R191). */
export function DeliveryDetails({ id, onClose, isBeside }: Props) {
  useWatch({ kind: 'delivery', id })
  const row = useLive(deliveryRow, id)
  if (!row) return null
  const { view } = row
  const refused = refusedOperation(row)
  const Frame = isBeside ? SidePanel : Dialog
  return (
    <Frame title={view.itemDescription} onClose={onClose}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <StatusTag row={row} />
        <strong className="text-xl tabular-nums">{priceText(view, fullPrice)}</strong>
      </div>
      <ItemNote of={view} />
      <Facts of={factsOf(row)} isTwoColumns />
      <section className="grid gap-1" aria-label="People">
        <h3 className="font-bold">People</h3>
        <People view={view} />
      </section>
      {refused?.error && <p className="text-sm font-semibold text-red">{refused.error.message}</p>}
      <OfficeActions view={view} />
      <DisputesAbout id={view.ID} />
      <RatingsOf view={view} />
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
      {view.itemPhoto && <HostedPhoto src={view.itemPhoto} alt={view.itemDescription} />}
      <Proof view={view} />
    </Frame>
  )
}

const factsOf = ({ view }: DeliveryRow): [string, ReactNode][] => {
  return [
    [
      'ID',
      <Verbatim key="id" title={view.ID}>
        {referenceOf(view.ID)}
      </Verbatim>,
    ],
    ['Delivery code', <Verbatim key="code">{known(view.deliveryCode)}</Verbatim>],
    ['Route', <RouteLine key="route" from={view.pickupZone} to={view.dropoffZone} />],
    ...(view.returnCode
      ? [
          ['Return code', <Verbatim key="return">{view.returnCode}</Verbatim>] as [
            string,
            ReactNode,
          ],
        ]
      : []),
    ['Wrong codes', triesOf(view)],
    ...(view.payment ? [paymentFact(view.payment)] : []),
    ...(view.payout ? [payoutFact(view.payout)] : []),
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

/** Where the driver's money is (R172). */
const payoutFact = ({ status, message }: NonNullable<Delivery['payout']>): [string, ReactNode] => [
  'Payout',
  [payoutName(status), message].filter(Boolean).join(': '),
]

const paymentNames: Record<string, string> = {
  waiting: 'Waiting for approval of the prompt',
  failed: 'Failed',
  held: 'Held',
  released: 'Released to the driver',
  refunded: 'Refunded',
}

/** Wrong tries of the code, and how often there was a new one (R135). */
const triesOf = ({ wrongCodes = 0, newCodes = 0, codeLocked }: Delivery): string =>
  [
    String(wrongCodes),
    codeLocked && 'locked',
    newCodes > 0 && `${newCodes} new ${newCodes === 1 ? 'code' : 'codes'}`,
  ]
    .filter(Boolean)
    .join(' · ')

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
