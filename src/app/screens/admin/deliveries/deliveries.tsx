import type { Delivery } from '#domain/deliveries/delivery.ts'
import { Status } from '#domain/deliveries/delivery.ts'
import { unpaidStatus } from '#domain/deliveries/payment.ts'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { shortPrice } from '#domain/money.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { RouteLine } from '../../../components/delivery/route-line.tsx'
import { StatusTag } from '../../../components/delivery/status.tsx'
import { PageLayout } from '../../../components/page/page.tsx'
import { DeliveryPhoto } from '../../../components/photo/photo.tsx'
import { Verbatim } from '../../../components/text/verbatim.tsx'
import { timeAgo } from '../../../texts/time.ts'
import { type Column, DataTable } from '../list/data-table.tsx'
import { DownloadCsv } from '../list/download-csv.tsx'
import { StatusChips } from '../list/status-chips.tsx'
import { useAddress } from '../list/use-address.ts'
import { useListing } from '../list/use-listing.ts'
import { DeliveryDetails } from './delivery-details.tsx'
import { DeliveryFilters, filterNames } from './filters.tsx'

const senderOf = (view: Delivery) => view.sender?.name ?? view.senderName ?? 'N/A'
const driverOf = (view: Delivery) => view.driver?.name ?? 'Unassigned'
const short = (text: string) => <span className="block max-w-32 truncate">{text}</span>

const columns: readonly Column<DeliveryRow>[] = [
  {
    id: 'item',
    header: 'Item',
    cell: (row) => (
      <span className="flex items-center gap-2.5">
        <DeliveryPhoto row={row} className="size-9" alt="" />
        <span className="grid max-w-40 leading-tight">
          <span className="truncate">{row.view.itemDescription}</span>
          <Reference id={row.ID} />
        </span>
      </span>
    ),
  },
  {
    id: 'route',
    header: 'Route',
    cell: ({ view }) => (
      <span translate="no" className="block max-w-44 truncate">
        {view.pickupZone} <span aria-hidden="true">→</span>
        <span className="sr-only">to</span> {view.dropoffZone}
      </span>
    ),
  },
  { id: 'sender', header: 'Sender', cell: ({ view }) => short(senderOf(view)), isExtra: true },
  { id: 'driver', header: 'Driver', cell: ({ view }) => short(driverOf(view)), isExtra: true },
  {
    id: 'createdAt',
    header: 'Created',
    cell: ({ view }) => (
      <time dateTime={view.createdAt} className="whitespace-nowrap">
        {timeAgo(view.createdAt)}
      </time>
    ),
    isSortable: true,
    isExtra: true,
  },
  {
    id: 'offer',
    header: 'Price (GH₵)',
    cell: ({ view }) => view.offer.toFixed(2),
    isSortable: true,
    isNumber: true,
  },
  {
    id: 'status',
    header: 'Status',
    cell: (row) => (
      <span className="whitespace-nowrap">
        <StatusTag row={row} />
      </span>
    ),
  },
]

/** What people read out: the short name of a delivery; its ID stands in the tooltip (R98). */
const Reference = ({ id }: { id: string }) => (
  <Verbatim title={id} className="text-[0.8125rem] font-normal whitespace-nowrap text-soft">
    {referenceOf(id)}
  </Verbatim>
)

/** Deliveries that wait for somebody: the oldest comes first (R187). */
const waiting = new Set<Filter>(['Pending', 'Accepted', 'Picked Up', unpaidStatus])

type Filter = Status | typeof unpaidStatus
const choices = Status.options.map((status): [Filter, string] => [status, status])
const unpaidChoice: [Filter, string] = [unpaidStatus, 'Not paid yet']

/** All deliveries, by status, route and day; one is open beside the list (R85). */
export function Deliveries() {
  const [params, change] = useAddress()
  const asked = params.get('status')
  const status: Filter | undefined =
    asked === unpaidStatus ? unpaidStatus : Status.safeParse(asked).data
  const open = params.get('open') ?? undefined
  const narrowing = Object.fromEntries(filterNames.map((name) => [name, params.get(name) ?? '']))
  const view = useListing('adminDeliveries', 'Failed to load deliveries', {
    ...narrowing,
    status,
    usualSort: status && waiting.has(status) ? 'createdAt' : '',
  })
  const hasUnpaid = status === unpaidStatus || view.counts?.[unpaidStatus] !== undefined
  return (
    <PageLayout title="Delivery Overview">
      <DataTable
        label="Deliveries"
        isWide
        view={view}
        columns={columns}
        keyOf={({ ID }) => ID}
        searchLabel="Search all deliveries..."
        loadingLabel="Loading deliveries"
        icon="box"
        empty="No deliveries found."
        onOpen={({ ID }) => change({ open: ID })}
        open={open}
        actions={<DownloadCsv what="deliveries" query={view.filters} />}
        filters={
          <>
            <StatusChips
              legend="Status"
              value={status ?? ''}
              choices={hasUnpaid ? [...choices, unpaidChoice] : choices}
              counts={view.counts ?? (view.page?.from === 'server' ? null : undefined)}
              onChange={(next) => change({ status: next })}
            />
            <DeliveryFilters />
          </>
        }
        panel={open && <DeliveryDetails id={open} onClose={() => change({ open: '' })} isBeside />}
        card={(row) => (
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <DeliveryPhoto row={row} className="size-12" alt="" />
            <span className="grid min-w-0 flex-1 basis-28 gap-0.5">
              <strong className="line-clamp-2">{row.view.itemDescription}</strong>
              <RouteLine from={row.view.pickupZone} to={row.view.dropoffZone} />
              <span className="text-sm text-soft">
                <Verbatim>{referenceOf(row.ID)}</Verbatim> · {timeAgo(row.view.createdAt)}
              </span>
            </span>
            <span className="ml-auto grid justify-items-end gap-1 whitespace-nowrap">
              <strong className="tabular-nums">{shortPrice(row.view.offer)}</strong>
              <StatusTag row={row} />
            </span>
          </span>
        )}
      />
    </PageLayout>
  )
}
