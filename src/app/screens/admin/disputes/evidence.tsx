import type { Delivery } from '#domain/deliveries/delivery.ts'
import { HashedPhoto, Incidents } from '../deliveries/incident-list.tsx'

/** What happened on the way, and every photo with the hash of its bytes (R107). */
export function Evidence({ view }: { view: Delivery }) {
  const { incidents = [], itemPhoto, proofOfDelivery } = view
  return (
    <>
      {incidents.length > 0 && (
        <section className="card grid gap-3" aria-label="Incidents">
          <h2>On the way</h2>
          <Incidents of={incidents} />
        </section>
      )}
      {(itemPhoto || proofOfDelivery) && (
        <section className="card grid gap-3" aria-label="Photos">
          <h2>Photos</h2>
          {itemPhoto && <HashedPhoto src={itemPhoto} of={view.itemDescription} />}
          {proofOfDelivery && <HashedPhoto src={proofOfDelivery} of="Proof of delivery" />}
        </section>
      )}
    </>
  )
}
