import { DriverStatus } from '#domain/users/user.ts'
import { ButtonLink } from '../../../components/forms/button.tsx'
import { PageLayout } from '../../../components/page/page.tsx'
import { Empty } from '../../../components/text/empty.tsx'
import { useIsSupport } from '../../../hooks/use-visitor.ts'
import { reviewPath } from '../links.ts'
import { DownloadCsv } from '../list/download-csv.tsx'
import { ListFrame } from '../list/list-frame.tsx'
import { StatusChips } from '../list/status-chips.tsx'
import { useAddress } from '../list/use-address.ts'
import { useListing } from '../list/use-listing.ts'
import { DriverCard } from './driver-card.tsx'

const choices = [
  ['pending', 'Pending'],
  ['approved', 'Approved'],
  ['rejected', 'Rejected'],
] as const

/** Drivers by status (R4). */
export function Drivers() {
  const isSupport = useIsSupport()
  const [params, change] = useAddress()
  const status = DriverStatus.safeParse(params.get('status')).data
  const view = useListing('adminDrivers', 'Failed to load drivers', {
    status,
    usualSort: status === 'pending' ? 'createdAt' : '',
  })
  return (
    <PageLayout title="Driver Management">
      {!isSupport && (
        <ButtonLink to={reviewPath} icon="check" className="justify-self-start">
          Review applications
        </ButtonLink>
      )}
      <StatusChips
        legend="Show"
        value={status ?? ''}
        choices={choices}
        counts={view.counts}
        onChange={(next) => change({ status: next })}
      />
      <ListFrame
        view={view}
        searchLabel="Search drivers..."
        loadingLabel="Loading drivers..."
        icon="car"
        actions={<DownloadCsv what="drivers" query={view.filters} />}
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
