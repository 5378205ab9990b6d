import { shortPrice } from '#domain/money.ts'
import { DeliveryPhoto } from '../../components/delivery/photo/photo.tsx'
import { RouteLine } from '../../components/delivery/route-line.tsx'
import type { SteadyRow } from '../../hooks/lists/use-steady-list.ts'
import { useAge } from '../../hooks/time/use-age.ts'

type Props = { job: SteadyRow; onOpen: (id: string) => void }

/** One job in the list: five of them fit on a phone's screen. All of it opens its sheet. */
export function JobRow({ job: { row, isGone }, onOpen }: Props) {
  const { itemDescription, pickupZone, dropoffZone, offer, createdAt } = row.view
  const age = useAge(createdAt)
  return (
    <article aria-label={itemDescription} className="grid">
      <button
        type="button"
        onClick={() => onOpen(row.ID)}
        aria-haspopup="dialog"
        className={`flex min-h-19 items-center gap-3 rounded-card border border-line bg-card p-2 pr-3.5 text-left leading-tight shadow-lift active:bg-green-wash ${isGone ? 'opacity-60' : ''}`}
      >
        <DeliveryPhoto row={row} className="size-14" />
        <span className="grid min-w-0 flex-1 gap-0.5">
          <RouteLine from={pickupZone} to={dropoffZone} isStrong />
          <span className="line-clamp-1 text-sm [overflow-wrap:anywhere]">
            <span className="text-soft">{isGone ? 'No longer available' : age} · </span>
            {itemDescription}
          </span>
        </span>
        <strong className="self-center text-xl font-extrabold tracking-tight tabular-nums">
          {shortPrice(offer)}
        </strong>
      </button>
    </article>
  )
}
