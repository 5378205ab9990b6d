import type { Transaction } from 'dexie'
import { areContactsOpen, withoutContacts } from '#domain/deliveries/contacts.ts'
import { isActiveDelivery, isActiveJob } from '#domain/deliveries/delivery.ts'
import { isUnsent, triedNow, unsentStates } from '#sync/database/entry.ts'
import { Row, serverRow } from '../deliveries/row-schema.ts'
import { reportLane } from '../entries/new-entry.ts'
import type { Entry } from '../entries/operations.ts'
import type { DeliveryRow, PendingOperation } from '../rows.ts'

/** What rows and entries of an earlier schema need so that this version reads them as its own. */
export async function upgradeRows(upgrade: Transaction): Promise<void> {
  await dropEndedContacts(upgrade)
  await markParts(upgrade)
  await withdrawTakenBack(upgrade)
  // What earlier releases held against deltas.
  await upgrade.table('meta').where('key').startsWith('taken:').delete()
  const unsent: Entry[] = await upgrade.table('outbox').where('state').anyOf(unsentStates).toArray()
  await markUnconfirmedEnds(upgrade, unsent)
  await letReportsFollowApprovals(upgrade, unsent)
}

/** Releases before this one kept contacts of what had ended (S66). An admin's rows show what admins see. */
const dropEndedContacts = (upgrade: Transaction) =>
  upgrade
    .table('deliveries')
    .toCollection()
    .modify((row: DeliveryRow) => {
      const side =
        row.sentAt !== undefined ? 'sender' : row.jobAt !== undefined ? 'driver' : undefined
      if (!side || !Row.safeParse(row).success) return
      const known = serverRow(row)
      if (!known || areContactsOpen(known)) return
      row.view = withoutContacts(side, row.view)
      if (row.server) row.server = withoutContacts(side, row.server)
    })

/** The upload of a photo belongs to the entry that needs it (S28). */
const markParts = (upgrade: Transaction) =>
  upgrade
    .table('outbox')
    .filter(({ op }: Entry) => op === 'uploadPhoto')
    .modify({ isPart: 1 })

/** What releases before this one noted of an entry, and of its mark, that was taken back. */
type TakenBack = { takingBack?: boolean; answersWithout?: number; gaveUp?: true }

/** Releases before this one asked for the row of what was taken back; now its request is withdrawn (S56). */
async function withdrawTakenBack(upgrade: Transaction): Promise<void> {
  await upgrade
    .table('outbox')
    .filter(({ takingBack, gaveUp }: Entry & TakenBack) => takingBack === true || gaveUp === true)
    .modify((entry: Entry & TakenBack) => {
      entry.withdrawal = entry.gaveUp ? 'unknown' : 'asked'
      if (isUnsent(entry)) Object.assign(entry, triedNow)
      delete entry.takingBack
      delete entry.answersWithout
      delete entry.gaveUp
    })
  await upgrade
    .table('deliveries')
    .filter(({ marks }: DeliveryRow) =>
      marks?.some((mark: PendingOperation & TakenBack) => mark.takingBack),
    )
    .modify(({ marks }: DeliveryRow) => {
      for (const mark of marks as (PendingOperation & TakenBack)[]) {
        if (mark.takingBack) Object.assign(mark, { state: 'waiting', withdrawal: 'asked' })
        delete mark.takingBack
      }
    })
}

const ends: ReadonlySet<string> = new Set(['completeDelivery', 'approveDelivery', 'cancelDelivery'])

/**
 * Releases before this one took a job or a delivery for over as soon as its end was queued. Rows of a queue
 * that they wrote become active again, until the server has confirmed the end.
 */
async function markUnconfirmedEnds(upgrade: Transaction, unsent: readonly Entry[]): Promise<void> {
  for (const { account, lane, op } of unsent.filter((entry) => ends.has(entry.op))) {
    const row: DeliveryRow | undefined = await upgrade.table('deliveries').get([account, lane])
    const active = op === 'completeDelivery' ? ('job' as const) : ('delivery' as const)
    const isActive = active === 'job' ? isActiveJob : isActiveDelivery
    // An admin's cancellation is of a delivery of somebody else.
    const isOwn = active === 'job' || row?.sentAt !== undefined
    if (!row?.server || !isOwn || !isActive(row.server)) continue
    await upgrade.table('deliveries').put({ ...row, active })
  }
}

/** An open issue blocks the approval (R108), so a report that was made after an approval is sent after it. */
async function letReportsFollowApprovals(
  upgrade: Transaction,
  unsent: readonly Entry[],
): Promise<void> {
  const approvals = unsent.filter(({ op }) => op === 'approveDelivery')
  for (const report of unsent.filter(({ op }) => op === 'reportIssue')) {
    const approval = approvals.find(
      ({ account, lane, seq }) =>
        account === report.account && report.lane === reportLane(lane) && seq < report.seq,
    )
    if (approval) await upgrade.table('outbox').put({ ...report, follows: [approval.id] })
  }
}
