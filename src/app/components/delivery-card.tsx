import { useState } from 'react'
import { shortPrice } from '#domain/money.ts'
import { can } from '#domain/permissions.ts'
import type { DeliveryRow } from '#store/db.ts'
import { attempt } from '../attempt.ts'
import { roomPath } from '../paths.ts'
import { useSoma } from '../soma.ts'
import { useWho } from '../who.ts'
import { Button, ButtonLink } from './button.tsx'
import { DeliveryPhoto } from './photo.tsx'
import { RouteLine } from './pieces.tsx'
import { refusedMark, StatusTag } from './status.tsx'

/** One delivery in a list (spec §2, Delivery card). */
export function DeliveryCard({ row }: { row: DeliveryRow }) {
  const { user } = useWho()
  const { itemDescription, pickupZone, dropoffZone, offer } = row.view
  const refused = refusedMark(row)
  const acceptable = can(user && { user }, 'accept', row.view)
  return (
    <article aria-label={itemDescription} className="card grid gap-3">
      <div className="flex items-center gap-3">
        <DeliveryPhoto row={row} />
        <div className="grid min-w-0 flex-1 justify-items-start gap-1.5">
          <h3 className="text-lg font-bold leading-tight">{itemDescription}</h3>
          <RouteLine from={pickupZone} to={dropoffZone} />
          <StatusTag row={row} />
        </div>
        <strong className="self-start text-xl font-extrabold tracking-tight">
          {shortPrice(offer)}
        </strong>
      </div>
      {refused?.error && <p className="text-sm font-semibold text-clay">{refused.error.message}</p>}
      {acceptable ? (
        <AcceptJob id={row.ID} />
      ) : (
        <ButtonLink look="line" to={roomPath(row.ID)} aria-label={`Open ${itemDescription}`}>
          Open
        </ButtonLink>
      )}
    </article>
  )
}

export function AcceptJob({ id }: { id: string }) {
  const { commands } = useSoma()
  const [busy, setBusy] = useState(false)
  const accept = async () => {
    setBusy(true)
    await attempt('Cannot Accept', () => commands.acceptDelivery(id))
    setBusy(false)
  }
  return (
    <Button disabled={busy} onClick={accept}>
      Accept Job
    </Button>
  )
}
