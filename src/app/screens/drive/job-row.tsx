import { useNavigate } from 'react-router-dom'
import { AcceptJob } from '../../components/delivery/actions/accept-job.tsx'
import { DeliveryHead } from '../../components/delivery/delivery-head.tsx'
import { lineClass, openClass, openLabel } from '../../components/delivery/delivery-line.tsx'
import { StatusTag } from '../../components/delivery/status.tsx'
import { Tag } from '../../components/text/tag.tsx'
import type { SteadyRow } from '../../hooks/lists/use-steady-list.ts'
import { useAge } from '../../hooks/time/use-age.ts'
import { detourText } from '../../hooks/way/use-detour.ts'
import { roomPath } from '../../paths.ts'

type Props = {
  job: SteadyRow
  /** Whether this driver may accept a job now. */
  canAccept: boolean
  /** Kilometres that it adds to the driver's way. `isElsewhere`: too many to be on it. */
  detour?: number
  isElsewhere?: boolean
  /** Its number on the map. */
  number?: number
  onOpen: (id: string) => void
}

/** One job in the list: four of them fit on a phone's screen. All of it but the button opens its sheet (R24). */
export function JobRow(props: Props) {
  const { canAccept, detour, isElsewhere, number, onOpen } = props
  const { row, isGone } = props.job
  const { itemDescription, status, createdAt } = row.view
  const age = useAge(createdAt)
  const isOnWay = detour !== undefined && !isElsewhere
  const navigate = useNavigate()
  return (
    <article
      aria-label={itemDescription}
      className={`${lineClass} py-1.5 ${isGone ? 'opacity-60' : ''}`}
    >
      <button
        type="button"
        aria-label={openLabel(row.view)}
        aria-haspopup="dialog"
        onClick={() => onOpen(row.ID)}
        className={openClass}
      />
      {number !== undefined && (
        <span className="absolute top-1 left-1 z-1 grid size-[1.25rem] place-items-center rounded-full bg-clay-strong text-xs font-bold text-paper">
          {number}
        </span>
      )}
      <DeliveryHead
        row={row}
        state={
          // Beside the button they may stand one below the other: the row stays as high.
          <span className="flex min-w-[min(100%,5rem)] flex-1 flex-wrap items-center gap-x-1.5 gap-y-0.5">
            {isGone ? (
              <Tag tone="plain">Not available</Tag>
            ) : isOnWay ? (
              <Tag>On your way</Tag>
            ) : (
              <StatusTag row={row} />
            )}
            {!isGone && detour !== undefined && (
              <span className="font-semibold whitespace-nowrap tabular-nums">
                {detourText(detour)}
              </span>
            )}
            {!isGone && age}
          </span>
        }
      >
        {canAccept && (isGone || status === 'Pending') && (
          <AcceptJob
            id={row.ID}
            tight
            // The place of a button that went stays: no row moves under the thumb (R99).
            className={`relative -mt-1 ml-auto text-sm ${isGone ? 'invisible' : ''}`}
            onAccepted={() => navigate(roomPath(row.ID))}
          />
        )}
      </DeliveryHead>
    </article>
  )
}
