import { useSearchParams } from 'react-router-dom'
import type { DriverStatus } from '#domain/users/user.ts'
import type { Listing } from '#store/queries/admin-pages.ts'
import { Button } from '../../../components/forms/button.tsx'
import { PageLayout } from '../../../components/page/page.tsx'
import { Empty } from '../../../components/text/empty.tsx'
import { DownloadCsv } from '../list/download-csv.tsx'
import { ListFrame } from '../list/list-frame.tsx'
import { useListing } from '../list/use-listing.ts'
import { DriverCard } from './driver-card.tsx'

type Filter = 'all' | DriverStatus

const filters: { name: Filter; label: string }[] = [
  { name: 'all', label: 'All' },
  { name: 'pending', label: 'Pending' },
  { name: 'approved', label: 'Approved' },
  { name: 'rejected', label: 'Rejected' },
]

/** Drivers by status (R4). */
export function Drivers() {
  const [params, setParams] = useSearchParams()
  const filter = filters.find(({ name }) => name === params.get('status'))?.name ?? 'all'
  const view = useListing(
    'adminDrivers',
    'Failed to load drivers',
    filter === 'all' ? undefined : filter,
  )
  const show = (name: Filter) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        after.delete('status')
        if (name !== 'all') after.set('status', name)
        return after
      },
      { replace: true },
    )
  return (
    <PageLayout title="Driver Management">
      <fieldset className="grid grid-cols-2 gap-2 md:flex md:flex-wrap">
        <legend className="sr-only">Show</legend>
        {filters.map(({ name, label }) => (
          <Button
            key={name}
            look={filter === name ? 'green' : 'line'}
            aria-pressed={filter === name}
            onClick={() => show(name)}
          >
            {label} ({countOf(view.page, name)})
          </Button>
        ))}
      </fieldset>
      <ListFrame
        view={view}
        searchLabel="Search drivers..."
        loadingLabel="Loading drivers..."
        icon="car"
        actions={<DownloadCsv what="drivers" search={view.search} />}
      >
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon="car" title="No drivers found." />
          ) : (
            <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
              {rows.map((driver) => (
                <DriverCard key={driver.ID} driver={driver} />
              ))}
            </div>
          )
        }
      </ListFrame>
    </PageLayout>
  )
}

function countOf(page: Listing<unknown> | undefined, name: Filter): string {
  const counts = page?.counts
  if (!counts || (page.from === 'kept' && page.total === 0)) return '…'
  const { pending, approved, rejected } = counts
  return (name === 'all' ? pending + approved + rejected : counts[name]).toLocaleString('en-GH')
}
