import type { Delivery } from '#domain/deliveries/delivery.ts'
import { firstNameOf } from '#domain/users/user.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { useAge } from '../../hooks/time/use-age.ts'
import { roomPath } from '../../paths.ts'
import { exitNote } from '../../texts/return-texts.ts'
import { shortDay } from '../../texts/time.ts'
import { Link } from '../forms/link.tsx'
import { DeliveryHead } from './delivery-head.tsx'
import { pendingOperation } from './status.tsx'
import { canSendAgain, SendAgain } from './unsent/send-again.tsx'

/** Classes of a delivery in a list, over all of which lies what opens it. */
export const lineClass =
  'relative grid rounded-card border border-line bg-card p-2 shadow-lift active:bg-green-wash'
export const openClass = 'absolute inset-0 rounded-card'

/** What opens a delivery, by a name that tells it from others: `Open Laptop, Osu to Tema, 21 Nov`. */
export const openLabel = ({ itemDescription, pickupZone, dropoffZone, createdAt }: Delivery) =>
  `Open ${itemDescription}, ${pickupZone} to ${dropoffZone}, ${shortDay(createdAt)}`

/** One delivery in a list. All of it opens its room. */
export function DeliveryLine({ row }: { row: DeliveryRow }) {
  const { itemDescription, createdAt, recipientName } = row.view
  const note = pendingOperation(row) ? undefined : exitNote(row.view)
  const age = useAge(createdAt)
  return (
    <article aria-label={itemDescription} className={lineClass}>
      <Link to={roomPath(row.ID)} aria-label={openLabel(row.view)} className={openClass} />
      <DeliveryHead row={row}>
        {note && <span className="font-semibold text-ink">{note}</span>}
        {recipientName && (
          <>
            <span className="max-w-[5rem] truncate">For {firstNameOf(recipientName)}</span>
            <span aria-hidden="true">·</span>
          </>
        )}
        {age}
        {canSendAgain(row) && (
          <SendAgain row={row} isSmall className="relative -mt-5 -mb-2 ml-auto" />
        )}
      </DeliveryHead>
    </article>
  )
}
