import { useNavigate } from 'react-router-dom'
import { isDirect } from '#domain/deliveries/payment.ts'
import { fullPrice } from '#domain/money.ts'
import type { Way } from '#domain/zones/on-the-way.ts'
import { syncStatus } from '#store/queries/queries.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { AcceptJob } from '../../components/delivery/actions/accept-job.tsx'
import { ItemNote } from '../../components/delivery/item-note.tsx'
import { LessFee } from '../../components/delivery/less-fee.tsx'
import { RouteLine } from '../../components/delivery/route-line.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { ButtonLink } from '../../components/forms/button.tsx'
import { DeliveryPhoto } from '../../components/photo/photo.tsx'
import { Verbatim } from '../../components/text/verbatim.tsx'
import { useLive } from '../../hooks/use-live.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { detourText } from '../../hooks/way/use-detour.ts'
import { paths, roomPath } from '../../paths.ts'
import { notConfirmed } from '../../texts/next-step.ts'
import { timeAgo } from '../../texts/time.ts'
import { JobMap } from './jobs-map.tsx'

type Props = {
  row: DeliveryRow
  isGone: boolean
  hasJob: boolean
  /** The driver's way, and the kilometres that the job adds to it. */
  way: Way | undefined
  detour: number | undefined
  /** The detour is too long for the job to be on the way. */
  isElsewhere?: boolean
  onClose: () => void
}

/** A job in full, with the button that accepts it. */
export function JobSheet(props: Props) {
  const { row, isGone, hasJob, way, detour, isElsewhere, onClose } = props
  const { itemDescription, pickupZone, dropoffZone, offer, createdAt } = row.view
  return (
    <Dialog title={itemDescription} onClose={onClose}>
      <DeliveryPhoto row={row} isLarge className="h-56 w-full" />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <RouteLine from={pickupZone} to={dropoffZone} isStrong />
        <strong className="text-2xl font-extrabold tracking-tight">{fullPrice(offer)}</strong>
      </div>
      <LessFee of={row.view} />
      {way && detour !== undefined && (
        <p className="text-sm">
          <strong>{detourText(detour)}</strong> {isElsewhere ? 'off' : 'on'} your way from{' '}
          <Verbatim>{way.from}</Verbatim> to <Verbatim>{way.to}</Verbatim>
        </p>
      )}
      <ItemNote of={row.view} />
      <p className="text-sm text-soft">
        Posted {timeAgo(createdAt)}. Once you accept you see the names and phone numbers of the
        sender and the recipient.{' '}
        {isDirect(row.view)
          ? 'The sender pays you, by mobile money or in cash.'
          : 'You are paid when the sender confirms.'}
      </p>
      <Accept row={row} isGone={isGone} hasJob={hasJob} />
      <JobMap way={way} from={pickupZone} to={dropoffZone} />
    </Dialog>
  )
}

/** Accepting opens the job's room, with or without a network. */
function Accept({ row, isGone, hasJob }: Pick<Props, 'row' | 'isGone' | 'hasJob'>) {
  const { user } = useVisitor()
  const navigate = useNavigate()
  const isOffline = useLive(syncStatus)?.reachable === false
  if (isGone) return <p className="font-semibold">Another driver got this job first.</p>
  if (hasJob)
    return (
      <p className="font-semibold">
        You already have an active delivery. Please complete it first.
      </p>
    )
  if (user?.Verified === false)
    return (
      <ButtonLink to={`${paths.auth}?step=verify`} className="min-h-14">
        Verify Phone
      </ButtonLink>
    )
  return (
    <>
      {isOffline && <p className="text-sm">{notConfirmed}</p>}
      <AcceptJob
        id={row.ID}
        className="min-h-14 text-lg"
        onAccepted={() => navigate(roomPath(row.ID))}
      />
    </>
  )
}
