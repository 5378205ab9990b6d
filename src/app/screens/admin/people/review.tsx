import { useState } from 'react'
import type { Application } from '#store/queries/admin/admin.ts'
import { Button, ButtonLink } from '../../../components/forms/button.tsx'
import { PageLayout } from '../../../components/page/page.tsx'
import { Loading } from '../../../components/page/skeleton.tsx'
import { Empty } from '../../../components/text/empty.tsx'
import { ListUnavailable } from '../../../components/text/list-unavailable.tsx'
import { isUnavailable } from '../../../hooks/lists/use-list-state.ts'
import { paths } from '../../../paths.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import { useAddress } from '../list/use-address.ts'
import { useListing } from '../list/use-listing.ts'
import { Decided, useDecide } from './decision.tsx'
import { idTypeOf, NameAndId } from './driver-card.tsx'
import { IdPhoto } from './id-photo.tsx'

/** Applications loaded at once; the next ones follow as these are decided. */
const loaded = 50

/** The pending applications one at a time, the ID photo beside its number (R4). */
export function Review() {
  const view = useListing('adminDrivers', 'Failed to load drivers', {
    status: 'pending',
    limit: loaded,
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
      ) : rows.length > 0 ? (
        <Queue rows={rows} total={Math.max(view.page?.total ?? 0, rows.length)} />
      ) : view.page?.from === 'stored' && isUnavailable(view.state) ? (
        <ListUnavailable list={view.state} icon="car" what="The applications come" />
      ) : (
        <Empty icon="check" title="No pending applications" />
      )}
    </PageLayout>
  )
}

function Queue({ rows, total }: { rows: Application[]; total: number }) {
  const [params, change] = useAddress()
  const decide = useDecide()
  const [last, setLast] = useState<string>()
  const undecided = rows.find(({ deciding }) => !deciding)
  const current = rows.find(({ ID }) => ID === params.get('id')) ?? undecided
  const decided = rows.find(({ ID }) => ID === last)
  const at = current ? rows.indexOf(current) : -1
  const show = (driver: Application | undefined) => driver && change({ id: driver.ID })
  /** The next one to decide on, after this one and then from the start. */
  const next = () =>
    [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0))].find(({ deciding }) => !deciding)
  const decideAs = async (decision: 'approved' | 'rejected') => {
    if (!current || current.deciding || !(await decide(current.ID, decision))) return
    setLast(current.ID)
    change({ id: next()?.ID ?? '' })
  }
  useKeys({
    a: () => void decideAs('approved'),
    r: () => void decideAs('rejected'),
    s: () => show(next()),
    arrowright: () => show(rows[at + 1]),
    arrowleft: () => show(rows[at - 1]),
  })
  return (
    <div className="grid gap-4 pb-24 md:pb-0">
      {decided?.deciding && decided !== current && (
        <div className="card flex flex-wrap items-center justify-between gap-2 py-2">
          <strong>{decided.User.Name}</strong>
          <Decided driver={decided} />
        </div>
      )}
      {current ? (
        <Applicant key={current.ID} driver={current} position={`${at + 1} of ${total}`}>
          {current.deciding ? (
            <Decided driver={current} />
          ) : (
            <div className="fixed inset-x-0 bottom-0 z-10 flex gap-2 border-t border-line bg-card p-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:static md:border-0 md:p-0">
              <Button look="line" className="flex-1" onClick={() => void decideAs('rejected')}>
                Reject <Key of="R" />
              </Button>
              <Button
                look="line"
                className="flex-1"
                disabled={!next()}
                onClick={() => show(next())}
              >
                Skip <Key of="S" />
              </Button>
              <Button className="flex-1" onClick={() => void decideAs('approved')}>
                Approve <Key of="A" />
              </Button>
            </div>
          )}
        </Applicant>
      ) : (
        <Empty icon="check" title="All caught up">
          {total > rows.length
            ? 'The next applications are loading.'
            : 'Every application is decided.'}
        </Empty>
      )}
    </div>
  )
}

/** A key that does the same, where there is a keyboard. */
const Key = ({ of }: { of: string }) => (
  <span aria-hidden="true" className="hidden text-sm font-normal opacity-80 lg:inline">
    {of}
  </span>
)

function Applicant(props: { driver: Application; position: string; children: React.ReactNode }) {
  const { driver, position } = props
  const type = idTypeOf(driver.IDType)
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
        <p className="text-sm font-semibold text-soft tabular-nums" role="status">
          {position}
        </p>
        <div className="grid gap-0.5">
          <span className="text-sm text-soft">{type}</span>
          <strong translate="no" className="font-mono text-2xl [overflow-wrap:anywhere]">
            {driver.IDNumber ?? 'N/A'}
          </strong>
        </div>
        <NameAndId driver={driver}>
          <span className="text-soft [overflow-wrap:anywhere]">{driver.User.Email}</span>
        </NameAndId>
        {props.children}
      </div>
    </article>
  )
}
