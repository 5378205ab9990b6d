import { type ReactNode, useEffect } from 'react'
import { shortPrice } from '#domain/money.ts'
import { preloadScanner } from '#scan/preload-scanner.ts'
import { zones } from '#store/queries/queries.ts'
import {
  approvedByGuest,
  type DeliveryUnderWay,
  deliveriesUnderWay,
} from '#store/queries/under-way.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { useLive } from '../../hooks/use-live.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { useWide } from '../../hooks/use-wide.ts'
import { roomPath } from '../../paths.ts'
import { Link } from '../forms/link.tsx'
import { ZoneMap } from '../map/zone-map.tsx'
import { NowCard } from './now-card.tsx'

type Props = { title?: string; fallback: ReactNode; children: ReactNode }

/** A card for each delivery under way on this phone, the one to act on first, and then `children`. */
export default function NowCards({ title = 'Now', fallback, children }: Props) {
  const live = useLive(deliveriesUnderWay)
  const hasJob = live?.some(({ as, row }) => as === 'driver' && row?.view.handoverHash) ?? false
  useEffect(() => {
    if (hasJob) preloadScanner()
  }, [hasJob])
  useForgottenRecords()
  const isWide = useWide()
  if (live === undefined) return fallback
  const [lines, cards] = isWide ? split(live) : [[], live]
  return (
    <>
      {live.length > 0 && (
        <section aria-labelledby="now" className="grid gap-3">
          <h2 id="now">{title}</h2>
          {lines.length > 0 && <HandedOver jobs={lines} />}
          {cards.length > 0 && (
            <div className="grid items-start gap-4 md:grid-cols-2">
              {cards.map((each) => (
                <NowCard key={each.id} live={each} />
              ))}
              {isWide && cards.length === 1 && cards[0]?.row && <WayMap row={cards[0].row} />}
            </div>
          )}
        </section>
      )}
      {children}
    </>
  )
}

/** What was handed over and only waits for the sender takes a line, the rest a card each. */
const split = (live: readonly DeliveryUnderWay[]) => {
  const isLine = ({ row }: DeliveryUnderWay) => row?.active === 'unpaid'
  return [live.filter(isLine), live.filter((each) => !isLine(each))] as const
}

/** Jobs that wait for their senders' approval, in one line. */
function HandedOver({ jobs }: { jobs: readonly DeliveryUnderWay[] }) {
  return (
    <p className="card flex items-center gap-x-4 py-1">
      <span className="shrink-0 text-soft">Delivered, waiting for approval</span>
      {jobs.map(({ id, row }) => (
        <Link
          key={id}
          to={roomPath(id)}
          className="flex min-h-12 min-w-0 flex-1 items-center gap-2"
        >
          <strong className="truncate">{row?.view.itemDescription}</strong>
          {row && <span className="shrink-0">{shortPrice(row.view.offer)}</span>}
        </Link>
      ))}
    </p>
  )
}

/** Beside a card that is alone: where it goes. */
function WayMap({ row: { view } }: { row: DeliveryRow }) {
  const all = useLive(zones)
  return (
    <div className="relative self-stretch *:absolute *:inset-0 *:aspect-auto! *:h-full">
      <ZoneMap zones={all} way={[view.pickupZone, view.dropoffZone]} />
    </div>
  )
}

/** Ends what a guest approved in a page that was closed before its room could end it (R58). */
function useForgottenRecords(): void {
  const { commands } = useSoma()
  const approved = useLive(approvedByGuest)
  useEffect(() => {
    for (const id of approved ?? []) void commands.forgetGuestRecord(id)
  }, [approved, commands])
}
