import type { Delivery } from '#domain/deliveries/delivery.ts'
import { predict } from '#domain/deliveries/permissions.ts'
import { actorFor } from '#store/account/account.ts'
import type { Entry } from '#store/deliveries/operations.ts'
import { isUnsent } from '#store/outbox/entry.ts'
import type { SomaDb } from '#store/soma-db.ts'
import type { Phone } from '../devices/phone.ts'
import type { Simulation } from '../scenario/simulation.ts'
import { same } from './same.ts'

/** Checks S6 on every phone from one read of its database. */
export async function checkProjection(simulation: Simulation): Promise<void> {
  for (const phone of simulation.phones) await checkPhone(simulation, phone)
}

async function checkPhone(simulation: Simulation, phone: Phone): Promise<void> {
  const db = phone.observer()
  const look = db.transaction('r', [db.deliveries, db.outbox, db.sessions], async () => ({
    rows: await db.deliveries.toArray(),
    entries: await db.outbox.orderBy(':id').toArray(),
    actors: await actorsOf(db),
  }))
  const { rows, entries, actors } = await simulation.time.whileBusy(async () => look)
  for (const row of rows) {
    // Rows of logged-out accounts are not shown, and their permissions are unknown.
    if (row.account !== 'guest' && !actors.has(row.account)) continue
    const lane = entries.filter(({ account, lane }) => account === row.account && lane === row.ID)
    const live = lane.filter((entry) => isUnsent(entry) || entry.state === 'refused')
    const say = (what: string) => simulation.reportFault('S6', `${phone.name}: ${row.ID} ${what}`)
    const marks = row.marks.map(({ entry, state }) => `${entry} ${state}`)
    // Waiting and sending look the same on the screen.
    const meant = live.map(({ id, state }) => `${id} ${state === 'sending' ? 'waiting' : state}`)
    if (!same(marks, meant)) say(`is marked ${marks} where the outbox has ${meant}`)
    if (!row.known) continue
    const actor = row.account === 'guest' ? { guestOf: row.ID } : actors.get(row.account)
    const view = live.reduce((view, entry) => foreseen(view, entry, actor), row.server ?? row.view)
    if (!same(view, row.view))
      say(`shows ${row.view.status} where the rules foresee ${view.status}`)
  }
}

async function actorsOf(db: SomaDb) {
  const session = await db.sessions.get('current')
  const actor = session && (await actorFor(db, session.account, ''))
  return new Map(session && actor ? [[session.account, actor] as const] : [])
}

const projectedOps = [
  'acceptDelivery',
  'pickUpDelivery',
  'completeDelivery',
  'attachProof',
  'approveDelivery',
  'cancelDelivery',
]

function foreseen(view: Delivery, entry: Entry, actor: Parameters<typeof predict>[2] | undefined) {
  if (!actor || !isUnsent(entry) || !projectedOps.includes(entry.op)) return view
  const at = { at: entry.occurredAt, occurredAt: entry.occurredAt }
  const intent = { op: entry.op, proofOfDelivery: '' } as Parameters<typeof predict>[1]
  try {
    return predict(view, intent, actor, at)
  } catch {
    return view
  }
}
