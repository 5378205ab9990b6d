import { type ReactNode, useEffect } from 'react'
import { preloadScanner } from '#scan/preload-scanner.ts'
import { approvedByGuest, deliveriesUnderWay } from '#store/queries/under-way.ts'
import { useLive } from '../../hooks/use-live.ts'
import { useSoma } from '../../hooks/use-soma.ts'
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
  if (live === undefined) return fallback
  return (
    <>
      {live.length > 0 && (
        <section aria-labelledby="now" className="grid gap-3">
          <h2 id="now">{title}</h2>
          <div className="grid items-start gap-4 md:grid-cols-2">
            {live.map((each) => (
              <NowCard key={each.id} live={each} />
            ))}
          </div>
        </section>
      )}
      {children}
    </>
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
