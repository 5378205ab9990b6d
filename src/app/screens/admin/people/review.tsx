import { useEffect, useState } from 'react'
import { type Application, adminUser } from '#store/queries/admin/admin.ts'
import { Button, ButtonLink } from '../../../components/forms/button.tsx'
import { PageLayout } from '../../../components/page/page.tsx'
import { Loading } from '../../../components/page/skeleton.tsx'
import { Empty } from '../../../components/text/empty.tsx'
import { ListUnavailable } from '../../../components/text/list-unavailable.tsx'
import { Notice } from '../../../components/text/notice.tsx'
import { isUnavailable } from '../../../hooks/lists/use-list-state.ts'
import { useOwn, useWatch } from '../../../hooks/use-live.ts'
import { paths } from '../../../paths.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import { useAddress } from '../list/use-address.ts'
import { useListing } from '../list/use-listing.ts'
import { Decided, RejectDialog, useDecide } from './decision.tsx'
import { idTypeOf, NameAndId } from './driver-card.tsx'
import { IdPhoto } from './id-photo.tsx'
import { Signs } from './signs.tsx'

/** Applications loaded at once; the next ones follow as these are decided. */
const loaded = 50

/** The pending applications one at a time, the ID photo beside its number (R4). */
export function Review() {
  const view = useListing('adminDrivers', 'Failed to load drivers', {
    status: 'pending',
    limit: loaded,
    // As everything that waits (R226).
    usualSort: 'createdAt',
  })
  const rows = view.page?.rows
  return (
    <PageLayout title="Review applications">
      <ButtonLink
        look="line"
        icon="back"
        to={`${paths.adminDrivers}?status=pending`}
        className="justify-self-start"
      >
        All drivers
      </ButtonLink>
      {rows === undefined ? (
        <Loading label="Loading drivers..." />
      ) : rows.length > 0 || view.page?.from === 'server' ? (
        <Queue rows={rows} total={Math.max(view.page?.total ?? 0, rows.length)} />
      ) : view.page?.from === 'stored' && isUnavailable(view.state) ? (
        <ListUnavailable list={view.state} icon="car" what="The applications come" />
      ) : (
        <Empty icon="check" title="No pending applications" />
      )}
    </PageLayout>
  )
}

/**
 * One applicant stays open until a person decides or goes on (R197): what others do never swaps it, and once everything
 * is decided nobody is opened unasked.
 */
function Queue({ rows, total }: { rows: Application[]; total: number }) {
  const [params, change] = useAddress()
  const decide = useDecide()
  const [last, setLast] = useState<string>()
  const [hasOpened, setOpened] = useState(false)
  const first = rows.find(({ deciding }) => !deciding)?.ID
  const id = params.get('id') ?? (hasOpened ? undefined : first)
  const current = useOpened(rows, id)
  const latest = rows.find(({ ID }) => ID === last)
  const place = usePlace(rows, id)
  const isListed = rows[place]?.ID === id
  const after = isListed ? place + 1 : place
  const show = (driver: { ID: string } | undefined) => {
    setOpened(true)
    if (driver) change({ id: driver.ID })
  }
  /** The next one to decide on, after this one and then from the start. */
  const next = [...rows.slice(after), ...rows.slice(0, place)].find(({ deciding }) => !deciding)
  const isOpen = current?.Status === 'pending' && !current.deciding
  const [isRejecting, setRejecting] = useState(false)
  const decided = (id: string) => {
    setLast(id)
    setOpened(true)
    change({ id: next?.ID ?? '' })
  }
  const approve = async () => {
    if (isOpen && (await decide(current.ID, 'approved'))) decided(current.ID)
  }
  const reject = () => isOpen && setRejecting(true)
  // The address names who is open, so that a row that comes before them changes nothing.
  useEffect(() => {
    if (id && params.get('id') !== id) change({ id })
  })
  useKeys({
    a: () => void approve(),
    r: () => void reject(),
    s: () => show(next),
    arrowright: () => show(rows[after]),
    arrowleft: () => show(rows[place - 1]),
  })
  const undoable = current?.deciding ? current : latest?.deciding ? latest : undefined
  return (
    <div className="grid gap-4 pb-40 md:pb-0">
      <section
        aria-label="Decision"
        className="fixed inset-x-0 bottom-0 z-10 grid gap-2 border-t border-line bg-card p-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:static md:grid-cols-[1fr_auto] md:items-center md:rounded-card md:border"
      >
        <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4">
          <p className="text-sm font-semibold text-soft tabular-nums" role="status">
            {isListed ? `${place + 1} of ${total}` : `${total} pending`}
          </p>
          {undoable && (
            <div className="flex items-center gap-2">
              <strong className="max-w-32 truncate">{undoable.User.Name}</strong>
              <Decided driver={undoable} onUndo={() => show(undoable)} />
            </div>
          )}
        </div>
        <div className="grid grid-cols-3 gap-2 md:w-96 *:px-2">
          <Button look="line" disabled={!isOpen} onClick={reject}>
            Reject <Key of="R" />
          </Button>
          <Button look="line" disabled={!next} onClick={() => show(next)}>
            {isOpen ? 'Skip' : 'Next'} <Key of="S" />
          </Button>
          <Button disabled={!isOpen} onClick={approve}>
            Approve <Key of="A" />
          </Button>
        </div>
      </section>
      {current ? (
        <Applicant key={current.ID} driver={current} />
      ) : (
        <Empty icon="check" title="All caught up">
          {next
            ? 'More applications have come.'
            : total > rows.length
              ? 'The next applications are loading.'
              : 'Every application is decided.'}
        </Empty>
      )}
      {isRejecting && current && (
        <RejectDialog
          driver={current}
          onRejected={() => decided(current.ID)}
          onClose={() => setRejecting(false)}
        />
      )}
    </div>
  )
}

/** The applicant with this ID, also once the list has them no longer. */
function useOpened(rows: Application[], id: string | undefined): Application | undefined {
  useWatch(id === undefined ? undefined : { kind: 'adminUser', id })
  const details = useOwn(id === undefined ? undefined : adminUser, id ?? '')
  const [seen, setSeen] = useState<Application>()
  const known = [details?.application, ...rows].find((each) => each?.ID === id)
  if (known && known !== seen) setSeen(known)
  return known ?? (seen?.ID === id ? seen : undefined)
}

/** Where somebody stands in the rows; once they have left them, where they stood. */
function usePlace(rows: Application[], id: string | undefined): number {
  const at = rows.findIndex(({ ID }) => ID === id)
  const [stood, setStood] = useState(0)
  if (at !== -1 && at !== stood) setStood(at)
  return at === -1 ? Math.min(stood, rows.length) : at
}

/** A key that does the same, where there is a keyboard. */
const Key = ({ of }: { of: string }) => (
  <span aria-hidden="true" className="hidden text-sm font-normal opacity-80 lg:inline">
    {of}
  </span>
)

function Applicant({ driver }: { driver: Application }) {
  const type = idTypeOf(driver.IDType)
  const signs = useOwn(adminUser, driver.ID)?.about?.signs
  return (
    <article
      aria-label={driver.User.Name}
      className="card grid items-start gap-4 lg:grid-cols-[minmax(0,1.4fr)_minmax(18rem,1fr)]"
    >
      {driver.IDPhoto ? (
        <IdPhoto src={driver.IDPhoto} alt={`${type} of ${driver.User.Name}`} />
      ) : (
        <p className="grid min-h-64 place-items-center rounded-control bg-line p-4 font-semibold">
          No ID photo
        </p>
      )}
      <div className="grid gap-4">
        {driver.Status !== 'pending' && !driver.deciding && (
          <div role="status">
            <Notice
              tone={driver.Status === 'approved' ? 'green' : 'red'}
              title={`This application was ${driver.Status}`}
            />
          </div>
        )}
        <Signs of={signs} />
        <div className="grid gap-0.5">
          <span className="text-sm text-soft">{type}</span>
          <strong translate="no" className="font-mono text-2xl [overflow-wrap:anywhere]">
            {driver.IDNumber ?? 'N/A'}
          </strong>
        </div>
        <NameAndId driver={driver}>
          <span className="text-soft [overflow-wrap:anywhere]">{driver.User.Email}</span>
        </NameAndId>
      </div>
    </article>
  )
}
