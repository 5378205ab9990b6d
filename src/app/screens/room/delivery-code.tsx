import { type Actor, isSenderOf } from '#domain/deliveries/delivery.ts'
import { wasCreateRefused } from '#store/deliveries/project.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { ShareCode } from './share/share-code.tsx'

/** The delivery code, shown to the sender or guest alone (R50), once the server has sent it. */
export function DeliveryCode({ row, who }: { row: DeliveryRow; who: Actor | undefined }) {
  const { view } = row
  if (!who || !isSenderOf(view, who)) return null
  if (['Delivered', 'Approved', 'Cancelled'].includes(view.status)) return null
  // On its way back, the return code stands in its place (R105).
  if (view.returning) return null
  const code = row.known ? view.deliveryCode : undefined
  if (!code) return row.known || wasCreateRefused(row) ? null : <CodePending />
  return (
    <section
      aria-label="Delivery code"
      className="grid gap-3 rounded-hero bg-green-deep p-4 text-center text-white"
    >
      <p className="text-sm text-mint">Share this code only with the recipient</p>
      <p
        data-testid="delivery-code"
        className="pl-[0.12em] font-mono text-[min(3.375rem,19vw)] leading-none font-extrabold tracking-[0.12em]"
      >
        {code}
      </p>
      <ShareCode code={code} row={row} />
    </section>
  )
}

function CodePending() {
  return (
    <section
      aria-label="Delivery code"
      className="grid gap-2 rounded-hero bg-green-deep p-4 text-center text-white"
    >
      <p aria-hidden="true" className="font-mono text-4xl leading-none tracking-[0.2em] text-mint">
        •••••
      </p>
      <p className="text-sm text-mint">Your code appears once the request is sent</p>
    </section>
  )
}
