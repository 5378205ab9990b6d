import type { Actor, Delivery } from '#domain/deliveries/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import type { Action, DeliveryOperation, InputOf } from '#operations/index.ts'
import { predict } from '#operations/rules.ts'
import { ended } from '#sync/database/entry.ts'
import type { Batch } from '#sync/database/group-commit.ts'
import { enqueueForRow } from '../deliveries/projection.ts'
import { activeJob, deliveryRowAndSession } from '../queries/deliveries.ts'
import { unsentReports } from '../queries/reports.ts'
import type { DeliveryRow } from '../rows.ts'
import { actorOf } from '../session.ts'
import type { Act, ActionInput, CommandContext } from './context.ts'

/** The actions on a delivery. */
export function createAct({ db, now, waits, write, newEntry }: CommandContext): Act {
  const act: Act = (action, id, input = {}, batch) =>
    batch ? queue(batch, action, id, input) : write((own) => queue(own, action, id, input))

  async function queue(
    batch: Batch,
    action: Action,
    id: string,
    { input, photo, uploads, details, dependsOn = [], followsReports, holdFor }: ActionInput,
  ): Promise<string> {
    const { row, session } = await deliveryRowAndSession(db, id, now(), action === 'acceptDelivery')
    // A job that has just left the list is no longer on offer, as the server would say.
    if (!row) throw new Refusal(action === 'acceptDelivery' ? 'taken' : 'not-found')
    const actor = actorOf(session, row.account, row.ID)
    await mustAllow({ ...input, op: action } as DeliveryOperation, row.view, actor)
    await cancelRefused(action, row)
    const first = uploads ? await uploads(row) : []
    const said = { id: row.ID, ...input, ...(photo ? { photo } : {}), ...details?.(row) }
    const parents = row.marks.filter(
      ({ op, state }) => dependsOn.includes(op) && state !== 'refused',
    )
    const reports = followsReports ? await unsentReports(db, row.account, row.ID) : []
    const { itemDescription } = row.view
    const made = newEntry(action, row.account, row.ID, said as InputOf<Action>, itemDescription)
    const entry = {
      ...made,
      after: [...first.map((each) => each.id), ...parents.map((mark) => mark.entry)],
      follows: reports.length > 0 ? reports.map((report) => report.id) : undefined,
      photos: photo ? [photo] : [],
      hold: holdFor === undefined ? undefined : waits.hold(made.id, holdFor),
    }
    await enqueueForRow(db, [...first, entry], { row, actor, batch })
    return entry.id
  }

  /** The same action, asked for again, replaces one that was refused. */
  async function cancelRefused(action: Action, { marks }: DeliveryRow) {
    const refused = marks.filter((mark) => mark.op === action && mark.state === 'refused')
    if (refused.length === 0) return
    const entries = await db.outbox
      .where('id')
      .anyOf(refused.map(({ entry }) => entry))
      .toArray()
    await db.outbox.bulkPut(entries.map((entry) => ended(entry, 'cancelled', now())))
  }

  /** Checks the rules first, so that a refusal the person can act on is shown at once. */
  async function mustAllow(operation: DeliveryOperation, view: Delivery, actor: Actor | undefined) {
    if (!actor) throw new Refusal('no-session')
    if (operation.op === 'acceptDelivery' && (await activeJob(db))) throw new Refusal('active-job')
    predict(view, operation, actor, { at: new Date(now()).toISOString() })
  }

  return act
}
