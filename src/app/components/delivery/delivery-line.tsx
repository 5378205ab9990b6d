import { shortPrice } from '#domain/money.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { useAge } from '../../hooks/time/use-age.ts'
import { roomPath } from '../../paths.ts'
import { exitNote } from '../../texts/return-texts.ts'
import { Link } from '../forms/link.tsx'
import { DeliveryPhoto } from './photo/photo.tsx'
import { RouteLine } from './route-line.tsx'
import { pendingOperation, StatusTag } from './status.tsx'
import { canSendAgain, SendAgain } from './unsent/send-again.tsx'

/** One delivery in a list. All of it opens its room. */
export function DeliveryLine({ row }: { row: DeliveryRow }) {
  const { itemDescription, pickupZone, dropoffZone, offer, createdAt } = row.view
  const note = pendingOperation(row) ? undefined : exitNote(row.view)
  const isOver = canSendAgain(row)
  const age = useAge(createdAt)
  return (
    <article aria-label={itemDescription} className="relative grid">
      <Link
        to={roomPath(row.ID)}
        aria-label={`Open ${itemDescription}`}
        className="flex min-h-19 items-center gap-3 rounded-card border border-line bg-card p-2 pr-3.5 leading-tight shadow-lift active:bg-green-wash"
      >
        <DeliveryPhoto row={row} className="size-14" />
        <span className="grid min-w-0 flex-1 gap-1">
          <RouteLine from={pickupZone} to={dropoffZone} isStrong />
          <span className="line-clamp-1 text-sm [overflow-wrap:anywhere]">{itemDescription}</span>
          <span className="flex flex-wrap items-center gap-2 text-sm text-soft">
            <StatusTag row={row} />
            {note && <span className="font-semibold text-ink">{note}</span>}
            {age}
          </span>
        </span>
        <strong
          className={`text-lg font-extrabold tracking-tight tabular-nums ${isOver ? 'mr-10' : ''}`}
        >
          {shortPrice(offer)}
        </strong>
      </Link>
      {isOver && (
        <SendAgain row={row} isSmall className="absolute top-1/2 right-0.5 -translate-y-1/2" />
      )}
    </article>
  )
}
