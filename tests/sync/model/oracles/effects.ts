import type { Delivery, Status, StatusChange } from '#domain/deliveries/delivery.ts'
import { isActiveJob, isOnlyDelivery } from '#domain/deliveries/delivery.ts'
import type { Dispute } from '#domain/deliveries/dispute.ts'
import type { StoredDelivery } from '#server/ports/stores/delivery-stores.ts'
import type { Entry } from '#store/entries/operations.ts'
import { moneyFault } from '../../../helpers/server/money-fault.ts'
import type { Phone } from '../devices/phone.ts'
import type { Simulation } from '../scenario/simulation.ts'
import { same } from './reference/same.ts'
import { meansToSend } from './reference/states.ts'

/** Checks the results of every operation on the phones and the server after all is settled. */
export async function checkEffects(simulation: Simulation): Promise<void> {
  const deliveries = await simulation.deliveries()
  const disputes = await simulation.time.whileBusy(() =>
    simulation.server.repo.read(
      async (stores) => (await stores.disputes.list({ limit: 1_000 })).rows,
    ),
  )
  checkOneOfEach(simulation, deliveries, disputes)
  await checkLedger(simulation, deliveries)
  for (const phone of simulation.phones) {
    await checkNothingLost(simulation, phone)
    const all = [...phone.outboxOracle.entries.values()]
    const session = await simulation.time.whileBusy(() => phone.session())
    const account = session?.expired ? undefined : session?.account
    for (const entry of all)
      checkEffect({ simulation, phone, account, all, deliveries, disputes }, entry)
  }
}

function checkOneOfEach(simulation: Simulation, deliveries: Delivery[], disputes: Dispute[]) {
  const twice = (names: (string | undefined)[]) =>
    names.filter((name, at) => name !== undefined && names.indexOf(name) !== at)
  const doubled = [
    ...twice(deliveries.map(({ itemDescription }) => itemDescription)),
    // Two deliveries may be said to be unpaid in the same words (R171).
    ...twice(disputes.map(({ DeliveryID, issue }) => `${DeliveryID}: ${issue}`)),
    ...deliveries.flatMap(({ history = [] }) => roundsOf(history).flatMap(twice)),
  ]
  for (const name of doubled) simulation.reportFault('S1', `${name} happened twice`)
  const jobs = deliveries.filter(isActiveJob).map(({ driver }) => driver?.id)
  const sent = deliveries.filter(isOnlyDelivery).map(({ sender }) => sender?.id)
  for (const id of [...twice(jobs), ...twice(sent)])
    simulation.reportFault('one', `${id} has two at a time`)
}

/** The statuses of a delivery since its job was last taken from a rejected driver (R5). */
function roundsOf(history: StatusChange[]): Status[][] {
  const rounds: Status[][] = [[]]
  for (const { status, offer } of history) {
    // A raised offer is on offer as before (R169).
    if (offer !== undefined) continue
    const last = rounds.at(-1)
    if (status === 'Pending' && last?.at(-1) === 'Accepted') rounds.push([status])
    else last?.push(status)
  }
  return rounds
}

async function checkLedger(simulation: Simulation, deliveries: Delivery[]) {
  for (const delivery of deliveries) {
    const transfers = await simulation.time.whileBusy(() =>
      simulation.server.repo.read((stores) => stores.ledger.of(delivery.ID)),
    )
    const fault = moneyFault(delivery, transfers)
    if (fault) simulation.reportFault('ledger', fault)
  }
}

/** Checks that every stored text is the one that was entered. */
async function checkNothingLost(simulation: Simulation, phone: Phone) {
  const there = await simulation.time.whileBusy(() =>
    phone.observer().outbox.orderBy(':id').toArray(),
  )
  const seen = phone.outboxOracle.stored().sort((a, b) => a.seq - b.seq)
  const tell = (entries: Entry[]) => entries.map(({ seq, id, state }) => `${seq} ${id} ${state}`)
  if (!same(tell(there), tell(seen)))
    simulation.reportFault(
      'S2',
      `${phone.name} holds\n${tell(there).join('\n')}\nwhere\n${tell(seen).join('\n')}\nwas written`,
    )
}

const statusOf: Partial<Record<Entry['op'], string>> = {
  acceptDelivery: 'Accepted',
  pickUpDelivery: 'Picked Up',
  completeDelivery: 'Delivered',
  approveDelivery: 'Approved',
  cancelDelivery: 'Cancelled',
  releaseJob: 'Pending',
  raiseOffer: 'Pending',
  confirmReturn: 'Cancelled',
}

/** What a report says, or a contested pick-up, which opens a dispute too (R125). */
const issueOf = (input: object) =>
  Object.entries(input).find(([key]) => /^(issue|reason)$/.test(key))?.[1]

const offerOf = (input: object) => ('offer' in input ? input.offer : undefined)

const kindOf = { reportAttempt: 'attempt', startReturn: 'return' }

/**
 * Whether a phone says that a restored server has lost what an entry did (S54): where the server still has
 * the row it acted on without the effect, and this account is asked for it. A report stands on no row.
 */
const isLossSaid = (
  { op, account, lane }: Entry,
  { account: asks, deliveries, simulation }: Settled,
) =>
  simulation.knowsRequests &&
  op !== 'reportIssue' &&
  !op.startsWith('create') &&
  account === asks &&
  deliveries.some(
    ({ ID, history = [] }) =>
      ID === lane &&
      !history.some(
        ({ status, offer }) =>
          status === statusOf[op] && (op !== 'raiseOffer' || offer !== undefined),
      ),
  )

/** A phone after all is settled, who is logged in on it, and what the server has. */
type Settled = {
  simulation: Simulation
  phone: Phone
  account: string | undefined
  all: Entry[]
  deliveries: StoredDelivery[]
  disputes: Dispute[]
}

function checkEffect(settled: Settled, entry: Entry) {
  const { simulation, phone, all, deliveries, disputes } = settled
  const { id, op, state, account, lane, input, occurredAt, error, isPart, withdrawal } = entry
  const status = statusOf[op]
  const isOf = (name: string) => (each: Delivery) =>
    each.ID === name || each.ID === simulation.idAtServer(name)
  const happened = op.startsWith('create')
    ? deliveries.some(isOf(id))
    : op === 'reportIssue' || op === 'contestPickUp'
      ? disputes.some(({ issue }) => issue === issueOf(input))
      : op === 'reportAttempt' || op === 'startReturn'
        ? deliveries.some(
            (each) =>
              isOf(lane)(each) &&
              each.incidents?.some(
                ({ kind, occurredAt: at }) => kind === kindOf[op] && at === occurredAt,
              ),
          )
        : status
          ? deliveries.some(
              (each) =>
                isOf(lane)(each) &&
                each.history?.some(
                  (step) =>
                    step.status === status &&
                    step.occurredAt === occurredAt &&
                    (op !== 'cancelDelivery' || step.reason === issueOf(input)) &&
                    (op !== 'raiseOffer' || step.offer === offerOf(input)),
                ),
            )
          : // A report that nothing was received has the ID of its request, and words of the server (R171).
            op === 'reportUnpaid'
            ? disputes.some(({ ID }) => ID === id)
            : undefined
  if (happened === undefined) return
  const say = (what: string) =>
    simulation.reportFault('S7', `${phone.name}: ${op} ${id} is ${state}, ${what}`)
  const mayBeLost = simulation.server.wasRestored() && !isLossSaid(entry, settled)
  // It had nothing to cancel: its request was withdrawn.
  const isNeedless = isPart === 1 && op === 'cancelDelivery'
  // It was refused because it had been done, by whomever (S75).
  const isShown = deliveries.some(
    (each) =>
      isOf(lane)(each) &&
      (op === 'contestPickUp'
        ? each.contested
        : op === 'raiseOffer'
          ? each.offer === offerOf(input)
          : op === 'reportUnpaid'
            ? each.disputed || each.payout?.status === 'waiting'
            : each.history?.some((step) => step.status === status)),
  )
  if (state === 'done' && !happened && !mayBeLost && !isNeedless && !isShown)
    say('and the server knows nothing of it')
  // R126, R171
  const [tip, paidBy] = 'tip' in input ? [input.tip, input.paidBy] : []
  const isPaid = (each: Delivery) => isOf(lane)(each) && each.tip === tip && each.paidBy === paidBy
  if (state === 'done' && happened && op === 'approveDelivery' && !deliveries.some(isPaid))
    say(`and the server knows of no tip of ${tip}, paid by ${paidBy}`)
  // Repeated after a refusal, it is another request with the same `Occurred-At`.
  const again = all.some(
    (other) => other !== entry && other.op === op && other.occurredAt === occurredAt,
  )
  // An admin may see a guest's delivery on the same phone without being a party to it.
  const looksOn = account === simulation.server.residents.admin.user.ID
  const ours = all.some(
    (other) =>
      'id' in input &&
      other.id !== id &&
      other.id === input.id &&
      (other.account === account || !looksOn),
  )
  const isForgotten = simulation.server.wasRestored()
  if (state === 'refused' && error?.reason === 'not-found' && ours && !isForgotten)
    simulation.reportFault(
      'S19',
      `${phone.name}: ${op} ${id} did not find what this phone had asked for`,
    )
  if (state === 'refused' && happened && !again) say('and the server has done it')
  const goesOn = deliveries.some((each) => isOf(id)(each) && each.status !== 'Cancelled')
  if (op === 'createGuestDelivery' && phone.outboxOracle.thoughtUnsent.has(id) && goesOn)
    say('taken back as one that never left, and the server goes on with it')
  if (state === 'cancelled' && withdrawal === 'asked' && happened && !again)
    say('withdrawn, and the server has done it')
  const leftOnce = phone.outboxOracle.sent.has(id)
  if ((state === 'cancelled' || meansToSend(entry)) && happened && !leftOnce && !again)
    say('it never left, and the server has done it')
}
