import { defaultEndingTerms } from '#domain/deliveries/endings/incidents.ts'
import type { StoredDelivery } from '#server/ports/stores/delivery-stores.ts'
import type { Entry } from '#store/entries/operations.ts'
import { moneyFault } from '../../../helpers/server/money-fault.ts'
import type { Phone } from '../devices/phone.ts'
import type { Simulation } from '../scenario/simulation.ts'

/**
 * R123, R124: no delivered offer is lost to a cancel, no sender waits longer than the limit, and the money of every
 * delivery is where it belongs. Comes last: it ends what is held.
 */
export async function checkCancelHolds(simulation: Simulation): Promise<void> {
  for (const delivery of await simulation.deliveries())
    for (const phone of simulation.phones)
      for (const entry of phone.outboxOracle.entries.values())
        if (isLostHandOver(simulation, phone, entry, delivery))
          simulation.reportFault(
            'R124',
            `${phone.name}: the hand-over of ${delivery.ID} is lost to a cancel that came after it`,
          )
  await simulation.server.settleDue(defaultEndingTerms.cancelHold)
  for (const delivery of await simulation.deliveries()) {
    const { ID, refund, history = [] } = delivery
    if (refund === 'held' && !history.some(({ late }) => late))
      simulation.reportFault('R123', `the money of ${ID} is held longer than the limit`)
    const { repo } = simulation.server
    const transfers = await simulation.time.whileBusy(() =>
      repo.read(({ ledger }) => ledger.of(ID)),
    )
    const fault = moneyFault(delivery, transfers)
    if (fault) simulation.reportFault('R41', fault)
  }
}

/**
 * A right code that was entered on this phone before the cancel was received, and was refused, though the pick-up
 * before it is known. What another phone of this driver confirmed, and what a restore lost, is nobody's here.
 */
function isLostHandOver(
  simulation: Simulation,
  phone: Phone,
  entry: Entry,
  { ID, status, history = [], driver, deliveryCode, outcome }: StoredDelivery,
): boolean {
  if (entry.op !== 'completeDelivery' || entry.state !== 'refused') return false
  // Refused whatever else became of the delivery (R5).
  if (entry.error?.reason === 'driver-not-approved') return false
  const { code } = entry.input as { code?: string }
  const isRight = simulation.idAtServer(entry.lane) === ID || entry.lane === ID
  if (!isRight || code !== deliveryCode || entry.account !== driver?.id) return false
  const cancelled = history.findLast((step) => step.status === 'Cancelled' && !step.late)
  const isBefore = Date.parse(entry.occurredAt) <= Date.parse(cancelled?.at ?? '')
  if (status !== 'Cancelled' || outcome === 'returned' || !isBefore) return false
  const reached = history.map((step) => step.status)
  if (!reached.includes('Picked Up') || reached.includes('Delivered')) return false
  const { wasRestored, endedHolds } = simulation.server
  return !wasRestored() && !endedHolds() && !isConfirmedElsewhere(simulation, phone, entry)
}

const isConfirmedElsewhere = (simulation: Simulation, phone: Phone, { lane }: Entry): boolean =>
  simulation.phones.some(
    (other) =>
      other !== phone &&
      [...other.outboxOracle.entries.values()].some(
        (each) => each.op === 'acknowledgeCancel' && each.lane === lane,
      ),
  )
