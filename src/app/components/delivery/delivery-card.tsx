import { can } from '#domain/deliveries/permissions.ts'
import { shortPrice } from '#domain/money.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { roomPath } from '../../paths.ts'
import { RouteLine } from '../delivery/route-line.tsx'
import { ButtonLink } from '../forms/button.tsx'
import { AcceptJob } from './accept-job.tsx'
import { DeliveryPhoto } from './photo.tsx'
import { isTakenByAnother, refusedOperation, StatusTag } from './status.tsx'

/** One delivery in a list. */
export function DeliveryCard({ row }: { row: DeliveryRow }) {
  const { user } = useVisitor()
  const { itemDescription, pickupZone, dropoffZone, offer } = row.view
  const refused = refusedOperation(row)
  const acceptable = !isTakenByAnother(row) && can(user && { user }, 'acceptDelivery', row.view)
  return (
    <article aria-label={itemDescription} className="card flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-3">
        <DeliveryPhoto row={row} />
        <div className="grid min-w-[min(100%,8rem)] flex-1 gap-1.5">
          <h3 className="line-clamp-3 text-lg leading-tight font-bold">{itemDescription}</h3>
          <RouteLine from={pickupZone} to={dropoffZone} />
          <div className="flex flex-wrap items-center justify-between gap-2">
            <StatusTag row={row} />
            <strong className="text-xl font-extrabold tracking-tight">{shortPrice(offer)}</strong>
          </div>
        </div>
      </div>
      {refused?.error && <p className="text-sm font-semibold text-red">{refused.error.message}</p>}
      {acceptable ? (
        <AcceptJob id={row.ID} className="mt-auto" />
      ) : (
        <ButtonLink
          look="line"
          className="mt-auto"
          to={roomPath(row.ID)}
          aria-label={`Open ${itemDescription}`}
        >
          Open
        </ButtonLink>
      )}
    </article>
  )
}
