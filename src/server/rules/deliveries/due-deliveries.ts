import { endHold } from '#domain/deliveries/endings/cancel-hold.ts'
import { approveByItself } from '#domain/deliveries/transitions.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import type { StoredDelivery } from '../../ports/stores/delivery-stores.ts'
import { repeatedly } from '../repeatedly.ts'
import { openDispute } from './open-disputes.ts'
import { saveDelivery } from './save-delivery.ts'

/** Deliveries of one transaction. */
const batchSize = 50
/** Milliseconds between two checks for due deliveries. */
const interval = 20_000

type Needs = Pick<Ports, 'repo' | 'clock' | 'secrets'>

/**
 * Approves what was delivered long enough ago, asks an admin about returns that nobody confirmed (R106), and gives
 * money back that was held long enough after a cancel (R123).
 * Several processes may do this at once: each delivery is settled by one. Returns how many there were.
 */
export async function settleDueDeliveries(ports: Needs): Promise<number> {
  let settled = 0
  for (;;) {
    const at = new Date(ports.clock()).toISOString()
    const found = await ports.repo.transaction(async (stores) => {
      const due = await stores.deliveries.lockDue(at, batchSize)
      for (const delivery of due) await settle(stores, ports, delivery, at)
      return due.length
    })
    settled += found
    if (found < batchSize) return settled
  }
}

async function settle(
  stores: Stores,
  { secrets }: Needs,
  delivery: StoredDelivery,
  at: string,
): Promise<void> {
  if (delivery.status === 'Cancelled') {
    await saveDelivery(stores, secrets, delivery, endHold(delivery, at))
    return
  }
  if (delivery.status === 'Delivered') {
    await saveDelivery(stores, secrets, delivery, approveByItself(delivery, at))
    return
  }
  const { dueAt: _, ...asked } = delivery
  await openDispute(stores, secrets, asked, {
    ID: secrets.id(),
    issue: 'The driver has returned this parcel, and its sender has not confirmed it.',
    side: 'driver',
    at,
  })
}

/** Looks for what is due now and every 20 seconds. Returns the function that ends it. */
export function startDueDeliveries(ports: Needs & Pick<Ports, 'log'>): () => void {
  const { pass, end } = repeatedly(
    interval,
    () => settleDueDeliveries(ports),
    (error) =>
      ports.log.warn(
        { err: error },
        'Deliveries that are due were not settled; the next try is in 20 seconds',
      ),
  )
  void pass()
  return end
}
