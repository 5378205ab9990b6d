import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { type DriverApplication, decisionsFor, IdType, idTypeLabels } from '#domain/driver.ts'
import type { DriverStatus } from '#domain/user.ts'
import { adminDrivers } from '#store/queries.ts'
import { attempt } from '../../attempt.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Page } from '../../components/page.tsx'
import { HostedPhoto } from '../../components/photo.tsx'
import { Empty, Loading, Tag, type Tone } from '../../components/pieces.tsx'
import { useListState } from '../../list-state.ts'
import { useLive } from '../../live.ts'
import { useSoma } from '../../soma.ts'
import { SearchBox } from './search-box.tsx'

type Row = DriverApplication & { deciding?: 'approved' | 'rejected' }
type Filter = 'all' | DriverStatus

const filters: { name: Filter; label: string }[] = [
  { name: 'all', label: 'All' },
  { name: 'pending', label: 'Pending' },
  { name: 'approved', label: 'Approved' },
  { name: 'rejected', label: 'Rejected' },
]

/** Who may drive (spec §2, Drivers). */
export function Drivers() {
  const [search, setSearch] = useSearchParams()
  const [text, setText] = useState('')
  const list = useListState('adminDrivers', 'Failed to load drivers')
  const rows = useLive(adminDrivers)
  const filter = search.get('status') ?? 'all'
  const shown = rows?.filter(({ Status }) => filter === 'all' || Status === filter)
  const count = (name: Filter) =>
    rows?.filter(({ Status }) => name === 'all' || Status === name).length ?? 0
  return (
    <Page title="Driver Management">
      <div className="grid gap-3 md:flex md:items-center md:justify-between">
        <fieldset className="flex flex-wrap gap-2">
          <legend className="sr-only">Show</legend>
          {filters.map(({ name, label }) => (
            <Button
              key={name}
              look={filter === name ? 'green' : 'line'}
              aria-pressed={filter === name}
              onClick={() => setSearch(name === 'all' ? {} : { status: name }, { replace: true })}
            >
              {label} ({count(name)})
            </Button>
          ))}
        </fieldset>
        {/* Spec §2: the search box has no effect. */}
        <SearchBox label="Search drivers..." value={text} onChange={setText} />
      </div>
      {shown === undefined || (rows?.length === 0 && list.is === 'unknown') ? (
        <Loading label="Loading drivers..." />
      ) : shown.length === 0 ? (
        <Empty icon="car" title="No drivers found." />
      ) : (
        <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
          {shown.map((driver) => (
            <DriverCard key={driver.ID} driver={driver} />
          ))}
        </div>
      )}
    </Page>
  )
}

const tones: Record<DriverStatus, Tone> = { pending: 'gold', approved: 'green', rejected: 'clay' }

const labelOf = (type: string | undefined): string => {
  const known = IdType.safeParse(type)
  return known.success ? idTypeLabels[known.data] : (type ?? 'N/A')
}

export function DriverCard({ driver }: { driver: Row }) {
  const [viewing, setViewing] = useState(false)
  return (
    <article aria-label={driver.User.Name} className="card grid gap-3">
      <div className="flex items-start justify-between gap-2">
        <div className="grid min-w-0">
          <strong className="text-lg">{driver.User.Name}</strong>
          <span className="text-xs text-soft">ID {driver.ID}</span>
        </div>
        <Tag tone={tones[driver.Status]}>{driver.Status}</Tag>
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-sm">
        <dt className="text-soft">Email</dt>
        <dd>{driver.User.Email}</dd>
        <dt className="text-soft">ID type</dt>
        <dd>{labelOf(driver.IDType)}</dd>
        <dt className="text-soft">ID number</dt>
        <dd>{driver.IDNumber ?? 'N/A'}</dd>
      </dl>
      {driver.IDPhoto && (
        <Button look="line" icon="picture" onClick={() => setViewing(true)}>
          View ID
        </Button>
      )}
      <Decisions driver={driver} />
      {viewing && driver.IDPhoto && (
        <Dialog title={`ID of ${driver.User.Name}`} onClose={() => setViewing(false)}>
          <HostedPhoto
            src={driver.IDPhoto}
            alt={`${labelOf(driver.IDType)} of ${driver.User.Name}`}
          />
        </Dialog>
      )}
    </article>
  )
}

function Decisions({ driver }: { driver: Row }) {
  const { commands } = useSoma()
  if (driver.deciding)
    return (
      <p className="text-sm font-semibold text-soft" role="status">
        {driver.deciding === 'approved' ? 'Approval' : 'Rejection'} saved here, not confirmed yet
      </p>
    )
  return (
    <div className="flex gap-2">
      {decisionsFor(driver.Status).map((decision) => (
        <Button
          key={decision}
          look={decision === 'approved' ? 'green' : 'line'}
          className="flex-1"
          onClick={() =>
            attempt(
              'Error',
              () => commands.reviewDriver(driver.ID, decision),
              'Failed to update driver status',
            )
          }
        >
          {decision === 'approved' ? 'Approve' : 'Reject'}
        </Button>
      ))}
    </div>
  )
}
