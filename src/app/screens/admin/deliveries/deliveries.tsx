import { useState } from 'react'
import type { Delivery } from '#domain/delivery.ts'
import { fullPrice } from '#domain/money.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { StatusTag } from '../../../components/delivery/status.tsx'
import { Page } from '../../../components/page/page.tsx'
import { type Columns, DataTable } from '../list/data-table.tsx'
import { Download } from '../list/download-csv.tsx'
import { useListing } from '../list/use-listing.ts'
import { DeliveryDetails } from './delivery-details.tsx'

const senderOf = (view: Delivery) => view.sender?.name ?? view.senderName ?? 'N/A'
const driverOf = (view: Delivery) => view.driver?.name ?? 'Unassigned'

const columns: Columns<DeliveryRow> = [
  { id: 'item', header: 'Item', cell: ({ row }) => row.original.view.itemDescription },
  { id: 'sender', header: 'Sender', cell: ({ row }) => senderOf(row.original.view) },
  { id: 'driver', header: 'Driver', cell: ({ row }) => driverOf(row.original.view) },
  {
    ...{ id: 'offer', header: 'Price (GH₵)', sortDescFirst: false },
    accessorFn: ({ view }) => view.offer,
    cell: ({ row }) => row.original.view.offer.toFixed(2),
  },
  { id: 'status', header: 'Status', cell: ({ row }) => <StatusTag row={row.original} /> },
]

/** Every delivery there is (spec §2, Deliveries). */
export function Deliveries() {
  const view = useListing('adminDeliveries', 'Failed to load deliveries')
  const [open, setOpen] = useState<string>()
  return (
    <Page title="Delivery Overview">
      <DataTable
        label="Deliveries"
        view={view}
        columns={columns}
        keyOf={({ ID }) => ID}
        search="Search all deliveries..."
        loading="Loading deliveries"
        icon="box"
        empty="No deliveries found."
        onOpen={({ ID }) => setOpen(ID)}
        tools={<Download what="deliveries" search={view.search} />}
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
    </Page>
  )
}
