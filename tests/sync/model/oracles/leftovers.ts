import type { StoredDelivery } from '#server/ports/stores/delivery-stores.ts'
import type { Entry } from '#store/entries/operations.ts'
import type { Phone } from '../devices/phone.ts'
import type { Simulation } from '../scenario/simulation.ts'
import { meansToSend } from './reference/states.ts'

const second = 1_000
const hour = 3_600_000
const day = 24 * hour
/** A photo that nothing names has to look so for an hour of one page. */
const photosKept = hour + 60_000

/** Checks what phones must still hold, and must no longer hold, after all is settled. */
export async function checkLeftovers(simulation: Simulation): Promise<void> {
  const deliveries = await simulation.deliveries()
  for (const phone of simulation.phones) {
    await checkStrangers(simulation, phone)
    await checkPhotos(simulation, phone)
    await checkGuestRecords(simulation, phone, deliveries)
    checkTakenBack(simulation, phone, deliveries)
  }
}

/** S38: no row of an account that is not logged in, but for what the person keeps to send. */
async function checkStrangers(simulation: Simulation, phone: Phone): Promise<void> {
  const db = phone.observer()
  const { session, rows, people } = await simulation.time.whileBusy(async () => ({
    session: await db.sessions.get('current'),
    rows: await db.deliveries.toArray(),
    people: [...(await db.users.toArray()), ...(await db.drivers.toArray())],
  }))
  const ours = ['guest', session?.account]
  for (const { ID, account, marks } of rows)
    if (!ours.includes(account) && marks.length === 0)
      simulation.reportFault('S38', `${phone.name} still holds ${ID} of ${account}`)
  if (session?.user.role !== 'admin' && people.length > 0)
    simulation.reportFault('S38', `${phone.name} still holds ${people.length} people of an admin`)
}

/** S11, S55: a photo that nothing names is collected by a page that did not take it, an hour after its first look. */
async function checkPhotos(simulation: Simulation, phone: Phone): Promise<void> {
  if (phone.abandoned.size === 0) return
  for (const tab of [...phone.tabs]) tab.kill()
  const tab = phone.openTab()
  await simulation.time.pass(second)
  await simulation.pass(photosKept)
  tab.comeBack()
  await simulation.time.pass(second)
  const kept = await simulation.time.whileBusy(() =>
    phone.observer().photos.toCollection().primaryKeys(),
  )
  for (const id of phone.abandoned)
    if (kept.includes(id))
      simulation.reportFault('S11', `${phone.name} still keeps a photo that nothing names`)
}

/** R58: the record of a guest's delivery is there for a day of the world's time, whatever the phone's clock says. */
async function checkGuestRecords(
  simulation: Simulation,
  phone: Phone,
  deliveries: readonly StoredDelivery[],
): Promise<void> {
  const records = await simulation.time.whileBusy(() => phone.observer().guests.toArray())
  for (const { op, id, state } of phone.outboxOracle.entries.values()) {
    if (op !== 'createGuestDelivery' || state !== 'done') continue
    const stored = deliveries.find(({ ID }) => ID === simulation.idAtServer(id))
    const isOver = stored?.status === 'Approved' || stored?.status === 'Cancelled'
    if (!stored || isOver) continue
    const age = simulation.time.now() - Date.parse(stored.createdAt)
    const record = records.find((each) => each.id === stored.ID)
    if (age < day && !record?.guestToken)
      simulation.reportFault('R58', `${phone.name} lost the record of ${stored.ID}, which goes on`)
  }
}

const statuses: Partial<Record<Entry['op'], string>> = {
  acceptDelivery: 'Accepted',
  pickUpDelivery: 'Picked Up',
  completeDelivery: 'Delivered',
  approveDelivery: 'Approved',
}

/** S32: what the person was told is taken back has no effect, or they were told that it could not be. */
function checkTakenBack(
  simulation: Simulation,
  phone: Phone,
  deliveries: readonly StoredDelivery[],
): void {
  const all = [...phone.outboxOracle.entries.values()]
  for (const entry of all) {
    if (entry.state !== 'cancelled') continue
    const { op, id, lane, occurredAt } = entry
    const stored = deliveries.find(
      ({ ID }) => ID === simulation.idAtServer(lane) || ID === lane || ID === id,
    )
    const status = statuses[op]
    const isRepeated = all.some(
      (other) => other !== entry && other.op === op && other.occurredAt === occurredAt,
    )
    const wasTold = all.some(
      (other) => other.lane === lane && other.op === 'cancelDelivery' && other.state === 'refused',
    )
    const happened = op.startsWith('create')
      ? stored !== undefined && stored.status !== 'Cancelled'
      : stored?.history?.some((step) => step.status === status && step.occurredAt === occurredAt)
    if (happened && !isRepeated && !wasTold && !all.some((other) => isAbout(other, lane)))
      simulation.reportFault(
        'S32',
        `${phone.name}: ${op} ${id} was taken back, and the server has done it`,
      )
  }
}

/** Whether an entry that cancels this delivery is still on its way. */
const isAbout = (entry: Entry, lane: string) =>
  entry.lane === lane && entry.op === 'cancelDelivery' && meansToSend(entry)
