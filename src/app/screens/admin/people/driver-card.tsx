import { type ReactNode, useState } from 'react'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { IdType, idTypeLabels } from '#domain/users/driver.ts'
import type { DriverStatus } from '#domain/users/user.ts'
import type { Application } from '#store/queries/admin/admin.ts'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Button } from '../../../components/forms/button.tsx'
import { Link } from '../../../components/forms/link.tsx'
import { Tag, type Tone } from '../../../components/text/tag.tsx'
import { Verbatim } from '../../../components/text/verbatim.tsx'
import { useIsSupport } from '../../../hooks/use-visitor.ts'
import { licenceText } from '../../../texts/licence-texts.ts'
import { timeAgo } from '../../../texts/time.ts'
import { userPath } from '../links.ts'
import { Decisions } from './decision.tsx'
import { IdPhoto } from './id-photo.tsx'
import { LicenceReview } from './licence-review.tsx'

const driverTones: Record<DriverStatus, Tone> = {
  pending: 'gold',
  approved: 'approved',
  rejected: 'red',
}

export const idTypeOf = (type: string | undefined): string => {
  const known = IdType.safeParse(type)
  return known.success ? idTypeLabels[known.data] : (type ?? 'N/A')
}

/** The driver's name, which leads to their account, and their ID; `children` stand between the two. */
export function NameAndId({ driver, children }: { driver: Application; children?: ReactNode }) {
  return (
    <div className="grid min-w-0 gap-0.5">
      <Link
        to={userPath(driver.ID)}
        className="text-lg font-bold underline-offset-4 hover:underline"
      >
        {driver.User.Name}
      </Link>
      {children}
      <span className="text-sm text-soft" title={driver.ID}>
        ID <Verbatim>{referenceOf(driver.ID)}</Verbatim>
      </span>
    </div>
  )
}

/** One driver's application, and the decisions open to an admin (R4). */
export function DriverCard({ driver }: { driver: Application }) {
  const [viewing, setViewing] = useState(false)
  const isSupport = useIsSupport()
  return (
    <article aria-label={driver.User.Name} className="card grid gap-3">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <NameAndId driver={driver} />
        <Tag tone={driverTones[driver.Status]}>
          <span className="capitalize">{driver.Status}</span>
        </Tag>
      </div>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm [overflow-wrap:anywhere]">
        <dt className="text-soft">Email</dt>
        <dd>{driver.User.Email}</dd>
        {driver.User.Phone && (
          <>
            <dt className="text-soft">Phone</dt>
            <dd translate="no">{driver.User.Phone}</dd>
          </>
        )}
        {driver.CreatedAt && (
          <>
            <dt className="text-soft">Applied</dt>
            <dd>{timeAgo(driver.CreatedAt)}</dd>
          </>
        )}
        <dt className="text-soft">ID type</dt>
        <dd>{idTypeOf(driver.IDType)}</dd>
        <dt className="text-soft">ID number</dt>
        <dd translate="no">{driver.IDNumber ?? 'N/A'}</dd>
        {driver.licence && (
          <>
            <dt className="text-soft">Courier licence</dt>
            <dd>{licenceText(driver.licence, new Date().toISOString())}</dd>
          </>
        )}
      </dl>
      <LicenceReview driver={driver} />
      {driver.IDPhoto && !isSupport && (
        <Button look="line" icon="picture" onClick={() => setViewing(true)}>
          View ID
        </Button>
      )}
      <Decisions driver={driver} />
      {viewing && driver.IDPhoto && (
        <Dialog title={`ID of ${driver.User.Name}`} onClose={() => setViewing(false)}>
          <IdPhoto src={driver.IDPhoto} alt={`${idTypeOf(driver.IDType)} of ${driver.User.Name}`} />
        </Dialog>
      )}
    </article>
  )
}
