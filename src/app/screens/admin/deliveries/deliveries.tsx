import { useState } from 'react'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { fullPrice } from '#domain/money.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { StatusTag } from '../../../components/delivery/status.tsx'
import { PageLayout } from '../../../components/page/page.tsx'
import { type Column, DataTable } from '../list/data-table.tsx'
import { DownloadCsv } from '../list/download-csv.tsx'
import { useListing } from '../list/use-listing.ts'
import { DeliveryDetails } from './delivery-details.tsx'

const senderOf = (view: Delivery) => view.sender?.name ?? view.senderName ?? 'N/A'
const driverOf = (view: Delivery) => view.driver?.name ?? 'Unassigned'

const columns: readonly Column<DeliveryRow>[] = [
  { id: 'item', header: 'Item', cell: ({ view }) => view.itemDescription },
  { id: 'sender', header: 'Sender', cell: ({ view }) => senderOf(view) },
  { id: 'driver', header: 'Driver', cell: ({ view }) => driverOf(view) },
  {
    id: 'offer',
    header: 'Price (GH₵)',
    cell: ({ view }) => view.offer.toFixed(2),
    isSortable: true,
  },
  { id: 'status', header: 'Status', cell: (row) => <StatusTag row={row} /> },
]

/** All deliveries. */
export function Deliveries() {
  const view = useListing('adminDeliveries', 'Failed to load deliveries')
  const [open, setOpen] = useState<string>()
  return (
    <PageLayout title="Delivery Overview">
      <DataTable
        label="Deliveries"
        view={view}
        columns={columns}
        keyOf={({ ID }) => ID}
        searchLabel="Search all deliveries..."
        loadingLabel="Loading deliveries"
        icon="box"
        empty="No deliveries found."
        onOpen={({ ID }) => setOpen(ID)}
        actions={<DownloadCsv what="deliveries" search={view.search} />}
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
      {open && <DeliveryDetails id={open} onClose={() => setOpen(undefined)} />}
    </PageLayout>
  )
}
