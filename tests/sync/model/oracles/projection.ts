import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { Entry } from '#store/entries/operations.ts'
import type { DeliveryRow } from '#store/rows.ts'
import type { Phone } from '../devices/phone.ts'
import type { Simulation } from '../scenario/simulation.ts'
import { same } from './reference/same.ts'
import { afterStep, type Person } from './reference/state-machine.ts'
import { meansToSend } from './reference/states.ts'

/** Checks S6 on every phone from one read of its database. */
export async function checkProjection(simulation: Simulation): Promise<void> {
  for (const phone of simulation.phones) await checkPhone(simulation, phone)
}

async function checkPhone(simulation: Simulation, phone: Phone): Promise<void> {
  const db = phone.observer()
  const look = db.transaction('r', [db.deliveries, db.outbox, db.sessions], async () => ({
    rows: await db.deliveries.toArray(),
    entries: await db.outbox.orderBy(':id').toArray(),
    session: await db.sessions.get('current'),
  }))
  const { rows, entries, session } = await simulation.time.whileBusy(async () => look)
  for (const row of rows) {
    // Rows of logged-out accounts are not shown, and their permissions are unknown.
    if (row.account === 'guest') checkRow(simulation, phone, row, entries, 'guest')
    else if (row.account === session?.account)
      checkRow(simulation, phone, row, entries, session.user)
  }
}

function checkRow(
  simulation: Simulation,
  phone: Phone,
  row: DeliveryRow,
  entries: Entry[],
  person: Person,
) {
  const lane = entries.filter(({ account, lane }) => account === row.account && lane === row.ID)
  // That a cancel was seen changes nothing that is shown (S63).
  const live = lane.filter(
    (entry) =>
      entry.op !== 'acknowledgeCancel' && (meansToSend(entry) || entry.state === 'refused'),
  )
  const say = (what: string) => simulation.reportFault('S6', `${phone.name}: ${row.ID} ${what}`)
  const marks = row.marks.map(({ entry, state }) => `${entry} ${state}`)
  // Waiting and sending look the same on the screen.
  const meant = live.map(({ id, state }) => `${id} ${state === 'sending' ? 'waiting' : state}`)
  if (!same(marks, meant)) say(`is marked ${marks} where the outbox has ${meant}`)
  if (!row.known) return
  const view = live
    .filter((entry) => meansToSend(entry) && !isDigits(entry))
    .reduce<Delivery>((seen, entry) => afterStep(seen, entry, person), row.server ?? row.view)
  if (!same(view, row.view)) say(`shows ${row.view.status} where the rules foresee ${view.status}`)
}

/** Only the server can check them: until then nothing was handed over. */
const isDigits = ({ op, input }: Entry): boolean =>
  op === 'completeDelivery' && !('handoverSecret' in input && input.handoverSecret)
