import {
  type Actor,
  type Delivery,
  isDriverOf,
  isPartyTo,
  isSenderOf,
  type Status,
} from '#domain/deliveries/delivery.ts'
import { isClaimed } from '#domain/deliveries/endings/cancel-hold.ts'
import { moneyDecision } from '#domain/deliveries/endings/decide.ts'
import { wasGivenTo } from '#domain/deliveries/transitions.ts'

/** Statuses that only another party, or an admin, can bring about for a sender and for a driver. */
const byOthers: Record<'sender' | 'driver', readonly Status[]> = {
  sender: ['Pending', 'Accepted', 'Picked Up', 'Delivered', 'Approved', 'Cancelled'],
  driver: ['Approved', 'Cancelled'],
}

/**
 * Whether another party has changed this delivery since the phone last had it (R100). `view`: as the phone showed it
 * then; `before`: as the server had it.
 */
export function isChangedByOther(
  actor: Actor | undefined,
  server: Delivery,
  view: Delivery | undefined,
  before: Delivery | undefined,
): boolean {
  if (actor && isGiven(actor, server, before)) return true
  if (!actor || !view || !before) return false
  if (isPartyTo(server, actor) && isCorrected(before, server)) return true
  if (before.status === server.status) {
    if (isSenderOf(server, actor) && before.driver?.id !== server.driver?.id) return true
    if (!isSenderOf(server, actor)) return isDecided(before, server)
    return (
      hasGoneWrong(before, server) || isClaimedSince(before, server) || isDecided(before, server)
    )
  }
  // What this phone itself asked for is foreseen.
  if (view.status === server.status) return false
  // A code that proves the return was foreseen as one that proves the delivery (R105).
  if (before.returning && view.status === 'Delivered') return false
  if (isSenderOf(server, actor)) return byOthers.sender.includes(server.status)
  const isDriving = 'user' in actor && isDriverOf(server, actor.user)
  return isDriving && byOthers.driver.includes(server.status)
}

/** Whether the office has given the job to this driver, who did not accept it (R192). */
function isGiven(actor: Actor, server: Delivery, before: Delivery | undefined): boolean {
  if (!('user' in actor) || server.status !== 'Accepted' || !isDriverOf(server, actor.user))
    return false
  return wasGivenTo(server, actor.user) && !(before && isDriverOf(before, actor.user))
}

const corrections = ({ history = [] }: Delivery) =>
  history.filter(({ corrected }) => corrected !== undefined).length

/** Whether the office has corrected what the request says (R193). */
const isCorrected = (before: Delivery, server: Delivery): boolean =>
  corrections(server) > corrections(before)

/** Whether its driver has reported what they did before the cancel (R124). */
const isClaimedSince = (before: Delivery, server: Delivery): boolean =>
  isClaimed(server) && !isClaimed(before)

/** Whether an admin has decided about the money of a cancelled delivery, which keeps its status (R124). */
const isDecided = (before: Delivery, server: Delivery): boolean =>
  moneyDecision(server) !== undefined && moneyDecision(before) === undefined

/** Whether its driver could not hand it over, brings it back (R102, R104), or has locked the code (R135). */
const hasGoneWrong = (before: Delivery, server: Delivery): boolean =>
  (server.attempts ?? 0) > (before.attempts ?? 0) ||
  (!before.returning && !!server.returning) ||
  (!before.codeLocked && !!server.codeLocked)
