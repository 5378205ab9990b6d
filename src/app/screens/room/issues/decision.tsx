import { type Actor, isSenderOf } from '#domain/deliveries/delivery.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { Facts } from '../../../components/text/facts.tsx'
import { decidedShares, exactPrice } from '../../../texts/decision-texts.ts'
import { timeOrDate } from '../../../texts/time.ts'

/** What an admin decided, as both sides read it (R107). */
export function Decision({ row, who }: { row: DeliveryRow; who: Actor | undefined }) {
  const { view } = row
  const shares = decidedShares(view)
  if (!view.decision || !who) return null
  const isSender = isSenderOf(view, who)
  return (
    <section aria-label="Decision" className="card grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2>Decision</h2>
        <span className="text-sm text-soft">{timeOrDate(view.decision.at)}</span>
      </div>
      <p className="whitespace-pre-line [overflow-wrap:anywhere]">{view.decision.reason}</p>
      {shares && (
        <Facts
          isTwoColumns
          of={[
            [isSender ? 'Driver' : 'You', exactPrice(shares.driver)],
            [isSender ? 'You' : 'Sender', exactPrice(shares.sender)],
          ]}
        />
      )}
    </section>
  )
}
