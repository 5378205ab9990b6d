import { useState } from 'react'
import type { Delivery } from '#domain/delivery.ts'
import { fullPrice } from '#domain/money.ts'
import type { DeliveryRow } from '#store/db.ts'
import { adminDeliveries } from '#store/queries.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Page } from '../../components/page.tsx'
import { HostedPhoto } from '../../components/photo.tsx'
import { Facts, Loading } from '../../components/pieces.tsx'
import { StatusTag } from '../../components/status.tsx'
import { useListState } from '../../list-state.ts'
import { useLive } from '../../live.ts'
import { longDate } from '../../time.ts'
import { type Column, DataTable } from './table.tsx'

const senderOf = (view: Delivery) => view.sender?.name ?? view.senderName ?? 'N/A'
const driverOf = (view: Delivery) => view.driver?.name ?? 'Unassigned'

const columns: Column<DeliveryRow>[] = [
  { name: 'Item', cell: ({ view }) => view.itemDescription },
  { name: 'Sender', cell: ({ view }) => senderOf(view) },
  { name: 'Driver', cell: ({ view }) => driverOf(view) },
  {
    name: 'Price (GH₵)',
    cell: ({ view }) => view.offer.toFixed(2),
    sortBy: ({ view }) => view.offer,
  },
  { name: 'Status', cell: (row) => <StatusTag row={row} /> },
]

const textOf = ({ view }: DeliveryRow) =>
  [
    ...[view.ID, view.itemDescription, senderOf(view), driverOf(view), view.status],
    ...[view.pickupZone, view.dropoffZone, view.recipientName, String(view.offer)],
  ].join(' ')

/** Every delivery there is (spec §2, Deliveries). */
export function Deliveries() {
  const list = useListState('adminDeliveries', 'Failed to load deliveries')
  const rows = useLive((db) => adminDeliveries(db))
  const [open, setOpen] = useState<string>()
  const opened = rows?.find(({ ID }) => ID === open)
  return (
    <Page title="Delivery Overview">
      {rows === undefined || (rows.length === 0 && list.is === 'unknown') ? (
        <Loading label="Loading deliveries" />
      ) : (
        <DataTable
          label="Deliveries"
          rows={rows}
          columns={columns}
          keyOf={({ ID }) => ID}
          textOf={textOf}
          search="Search all deliveries..."
          empty="No deliveries found."
          onOpen={({ ID }) => setOpen(ID)}
          card={(row) => (
            <>
              <span className="flex items-start justify-between gap-2">
                <strong>{row.view.itemDescription}</strong>
                <StatusTag row={row} />
              </span>
              <span className="text-sm text-soft">
                {senderOf(row.view)} · {driverOf(row.view)}
              </span>
              <strong>{fullPrice(row.view.offer)}</strong>
            </>
          )}
        />
      )}
      {opened && <Details view={opened.view} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}

function Details({ view, onClose }: { view: Delivery; onClose: () => void }) {
  const known = (value: string | undefined) => value ?? 'N/A'
  return (
    <Dialog title={view.itemDescription} onClose={onClose}>
      <Facts
        of={[
          ['ID', view.ID],
          ['Delivery code', known(view.deliveryCode)],
          ['Price', fullPrice(view.offer)],
          ['Status', view.status],
          ['Sender', `${senderOf(view)}, ${known(view.sender?.email)}`],
          [
            'Driver',
            view.driver ? `${view.driver.name}, ${known(view.driver.email)}` : 'Unassigned',
          ],
          ['Pickup zone', view.pickupZone],
          ['Drop-off zone', view.dropoffZone],
          ['Recipient', `${known(view.recipientName)}, ${known(view.recipientPhone)}`],
          ['Created', longDate(view.createdAt)],
          ['Last updated', longDate(view.updatedAt)],
        ]}
      />
      {view.itemPhoto && <HostedPhoto src={view.itemPhoto} alt={view.itemDescription} />}
      {view.proofOfDelivery && (
        <>
          <h3 className="font-bold">Proof of delivery</h3>
          <HostedPhoto src={view.proofOfDelivery} alt="Proof of delivery" />
        </>
      )}
    </Dialog>
  )
}
